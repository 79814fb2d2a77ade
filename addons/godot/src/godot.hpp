/// @file
/// A thin layer over Godot's C interface for extensions. Values such as String have the layout that the engine gives
/// them, so pointers to them go to the engine as they are. A class of the extension derives from Instance and is
/// described once, in a function that Class<T> helps to write; see sprite.cpp.
///
/// No value that the engine counts can be static: the engine is gone when static objects are destroyed.
#ifndef PCHR_GODOT_HPP
#define PCHR_GODOT_HPP

#include <gdextension_interface.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace godot {

/// The functions of the engine that are used. The second name is that of their type.
#define PCHR_GODOT_FUNCTIONS(X)                                                                      \
  X(print_error, PrintError)                                                                         \
  X(print_warning, PrintWarning)                                                                     \
  X(variant_new_copy, VariantNewCopy)                                                                \
  X(variant_new_nil, VariantNewNil)                                                                  \
  X(variant_destroy, VariantDestroy)                                                                 \
  X(variant_call, VariantCall)                                                                       \
  X(variant_get_type, VariantGetType)                                                                \
  X(variant_get_object_instance_id, VariantGetObjectInstanceId)                                      \
  X(variant_can_convert_strict, VariantCanConvertStrict)                                             \
  X(get_variant_from_type_constructor, GetVariantFromTypeConstructor)                                \
  X(get_variant_to_type_constructor, GetVariantToTypeConstructor)                                    \
  X(variant_get_ptr_constructor, VariantGetPtrConstructor)                                           \
  X(variant_get_ptr_destructor, VariantGetPtrDestructor)                                             \
  X(variant_get_ptr_builtin_method, VariantGetPtrBuiltinMethod)                                      \
  X(string_new_with_utf8_chars_and_len2, StringNewWithUtf8CharsAndLen2)                              \
  X(string_to_utf8_chars, StringToUtf8Chars)                                                         \
  X(string_name_new_with_utf8_chars_and_len, StringNameNewWithUtf8CharsAndLen)                       \
  X(packed_byte_array_operator_index, PackedByteArrayOperatorIndex)                                  \
  X(packed_byte_array_operator_index_const, PackedByteArrayOperatorIndexConst)                       \
  X(packed_int32_array_operator_index, PackedInt32ArrayOperatorIndex)                                \
  X(packed_int32_array_operator_index_const, PackedInt32ArrayOperatorIndexConst)                     \
  X(packed_float32_array_operator_index, PackedFloat32ArrayOperatorIndex)                            \
  X(packed_float32_array_operator_index_const, PackedFloat32ArrayOperatorIndexConst)                 \
  X(packed_string_array_operator_index, PackedStringArrayOperatorIndex)                              \
  X(packed_string_array_operator_index_const, PackedStringArrayOperatorIndexConst)                   \
  X(packed_vector2_array_operator_index, PackedVector2ArrayOperatorIndex)                            \
  X(packed_vector2_array_operator_index_const, PackedVector2ArrayOperatorIndexConst)                 \
  X(packed_color_array_operator_index, PackedColorArrayOperatorIndex)                                \
  X(packed_color_array_operator_index_const, PackedColorArrayOperatorIndexConst)                     \
  X(array_operator_index, ArrayOperatorIndex)                                                        \
  X(dictionary_operator_index, DictionaryOperatorIndex)                                              \
  X(object_method_bind_call, ObjectMethodBindCall)                                                   \
  X(object_method_bind_ptrcall, ObjectMethodBindPtrcall)                                             \
  X(object_destroy, ObjectDestroy)                                                                   \
  X(object_set_instance, ObjectSetInstance)                                                          \
  X(object_get_instance_binding, ObjectGetInstanceBinding)                                           \
  X(object_set_instance_binding, ObjectSetInstanceBinding)                                           \
  X(object_get_instance_id, ObjectGetInstanceId)                                                     \
  X(object_get_instance_from_id, ObjectGetInstanceFromId)                                            \
  X(callable_custom_create2, CallableCustomCreate2)                                                  \
  X(global_get_singleton, GlobalGetSingleton)                                                        \
  X(classdb_construct_object2, ClassdbConstructObject2)                                              \
  X(classdb_get_method_bind, ClassdbGetMethodBind)                                                   \
  X(classdb_register_extension_class5, ClassdbRegisterExtensionClass5)                               \
  X(classdb_register_extension_class_method, ClassdbRegisterExtensionClassMethod)                    \
  X(classdb_register_extension_class_property, ClassdbRegisterExtensionClassProperty)                \
  X(classdb_register_extension_class_property_group, ClassdbRegisterExtensionClassPropertyGroup)     \
  X(classdb_register_extension_class_signal, ClassdbRegisterExtensionClassSignal)                    \
  X(classdb_register_extension_class_integer_constant, ClassdbRegisterExtensionClassIntegerConstant) \
  X(classdb_unregister_extension_class, ClassdbUnregisterExtensionClass)

struct Functions {
#define PCHR_GODOT_FUNCTION(name, type) GDExtensionInterface##type name;
  PCHR_GODOT_FUNCTIONS(PCHR_GODOT_FUNCTION)
#undef PCHR_GODOT_FUNCTION
  GDExtensionInterfaceGetProcAddress get_proc_address;  ///< For those that only the editor has.
  GDExtensionClassLibraryPtr library;
};
inline Functions api;

/// Returns a method of a type of values.
[[nodiscard]] GDExtensionPtrBuiltInMethod builtin_method(GDExtensionVariantType type, const char* name,
                                                         std::int64_t hash);

/// A value whose content only the engine knows.
template <GDExtensionVariantType kVariantType, std::size_t kSize>
class Builtin {
 public:
  static constexpr GDExtensionVariantType kType = kVariantType;
  Builtin() { construct(0, nullptr); }
  Builtin(const Builtin& other) {
    const void* const from = other.bytes_;
    construct(1, &from);
  }
  Builtin(Builtin&& other) noexcept : Builtin() { std::swap(bytes_, other.bytes_); }
  Builtin& operator=(Builtin other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Builtin() {
    static const GDExtensionPtrDestructor destroy = api.variant_get_ptr_destructor(kType);
    destroy(bytes_);
  }
  bool operator==(const Builtin& other) const = delete;

 protected:
  struct Uninitialized {};
  explicit Builtin(Uninitialized) {}
  void construct(int constructor, const void* const* arguments) {
    static const std::array<GDExtensionPtrConstructor, 2> constructors{api.variant_get_ptr_constructor(kType, 0),
                                                                       api.variant_get_ptr_constructor(kType, 1)};
    constructors[static_cast<std::size_t>(constructor)](bytes_, arguments);
  }
  alignas(8) std::byte bytes_[kSize];
};

class StringName : public Builtin<GDEXTENSION_VARIANT_TYPE_STRING_NAME, 8> {
 public:
  StringName() = default;
  StringName(std::string_view text) : Builtin(Uninitialized{}) {
    api.string_name_new_with_utf8_chars_and_len(bytes_, text.data(), static_cast<GDExtensionInt>(text.size()));
  }
  StringName(const char* text) : StringName(std::string_view(text)) {}
  /// Equal names share their text.
  bool operator==(const StringName& other) const { return std::memcmp(bytes_, other.bytes_, sizeof bytes_) == 0; }
};

class String : public Builtin<GDEXTENSION_VARIANT_TYPE_STRING, 8> {
 public:
  String() = default;
  String(std::string_view text) : Builtin(Uninitialized{}) {
    api.string_new_with_utf8_chars_and_len2(bytes_, text.data(), static_cast<GDExtensionInt>(text.size()));
  }
  String(const char* text) : String(std::string_view(text)) {}
  String(const std::string& text) : String(std::string_view(text)) {}
  [[nodiscard]] std::string utf8() const {
    std::string text(static_cast<std::size_t>(api.string_to_utf8_chars(bytes_, nullptr, 0)), '\0');
    api.string_to_utf8_chars(bytes_, text.data(), static_cast<GDExtensionInt>(text.size()));
    return text;
  }
};

struct Vector2 {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_VECTOR2;
  float x = 0, y = 0;
};
struct Rect2 {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_RECT2;
  Vector2 position, size;
};
struct Transform2D {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_TRANSFORM2D;
  Vector2 x{1, 0}, y{0, 1}, origin;
};
struct Color {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_COLOR;
  float r = 1, g = 1, b = 1, a = 1;
};
struct Rid {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_RID;
  std::uint64_t id = 0;
};
using Callable = Builtin<GDEXTENSION_VARIANT_TYPE_CALLABLE, 16>;
using NodePath = Builtin<GDEXTENSION_VARIANT_TYPE_NODE_PATH, 8>;

/// An array of the engine of elements of one type.
template <GDExtensionVariantType kVariantType, class Element, auto kIndex, auto kConstIndex>
class Packed : public Builtin<kVariantType, 16> {
  using Base = Builtin<kVariantType, 16>;

 public:
  [[nodiscard]] std::size_t size() const {
    static const auto method = builtin_method(kVariantType, "size", 3173160232);
    std::int64_t count = 0;
    method(const_cast<std::byte*>(this->bytes_), nullptr, &count, 0);
    return static_cast<std::size_t>(count);
  }
  void resize(std::size_t size) {
    static const auto method = builtin_method(kVariantType, "resize", 848867239);
    const auto count = static_cast<std::int64_t>(size);
    const void* const argument = &count;
    std::int64_t error = 0;
    method(this->bytes_, &argument, &error, 1);
  }
  /// The elements, to be changed: separates them from other copies of the array.
  [[nodiscard]] std::span<Element> elements() {
    const std::size_t count = size();
    if (count == 0) return {};
    return {reinterpret_cast<Element*>((api.*kIndex)(this->bytes_, 0)), count};
  }
  [[nodiscard]] std::span<const Element> elements() const {
    const std::size_t count = size();
    if (count == 0) return {};
    return {reinterpret_cast<const Element*>((api.*kConstIndex)(this->bytes_, 0)), count};
  }
};
using PackedByteArray =
    Packed<GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, std::uint8_t, &Functions::packed_byte_array_operator_index,
           &Functions::packed_byte_array_operator_index_const>;
using PackedInt32Array =
    Packed<GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY, std::int32_t, &Functions::packed_int32_array_operator_index,
           &Functions::packed_int32_array_operator_index_const>;
using PackedFloat32Array =
    Packed<GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY, float, &Functions::packed_float32_array_operator_index,
           &Functions::packed_float32_array_operator_index_const>;
using PackedStringArray =
    Packed<GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY, String, &Functions::packed_string_array_operator_index,
           &Functions::packed_string_array_operator_index_const>;
using PackedVector2Array =
    Packed<GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY, Vector2, &Functions::packed_vector2_array_operator_index,
           &Functions::packed_vector2_array_operator_index_const>;
using PackedColorArray =
    Packed<GDEXTENSION_VARIANT_TYPE_PACKED_COLOR_ARRAY, Color, &Functions::packed_color_array_operator_index,
           &Functions::packed_color_array_operator_index_const>;

/// Base of the classes of this extension: the C++ part of an object of the engine.
struct Instance {
  GDExtensionObjectPtr object = nullptr;
  Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  virtual ~Instance() = default;
};

/// Returns the C++ part of an object, or null if it is of another class.
template <class T>
[[nodiscard]] T* instance_of(GDExtensionObjectPtr object) {
  if (object == nullptr) return nullptr;
  return dynamic_cast<T*>(static_cast<Instance*>(api.object_get_instance_binding(object, api.library, nullptr)));
}

/// Converts between a C++ type and what calls through pointers pass.
template <class T>
struct Wire {
  static constexpr GDExtensionVariantType kType = T::kType;
  using Type = T;
  static const T& encode(const T& value) { return value; }
  static const T& decode(const T& value) { return value; }
};
template <>
struct Wire<bool> {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_BOOL;
  using Type = GDExtensionBool;
  static Type encode(bool value) { return value ? 1 : 0; }
  static bool decode(Type value) { return value != 0; }
};
template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
struct Wire<T> {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_INT;
  using Type = std::int64_t;
  static Type encode(T value) { return static_cast<Type>(value); }
  static T decode(Type value) { return static_cast<T>(value); }
};
template <class T>
  requires std::is_floating_point_v<T>
struct Wire<T> {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_FLOAT;
  using Type = double;
  static Type encode(T value) { return value; }
  static T decode(Type value) { return static_cast<T>(value); }
};
template <>
struct Wire<GDExtensionObjectPtr> {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_OBJECT;
  using Type = GDExtensionObjectPtr;
  static Type encode(GDExtensionObjectPtr value) { return value; }
  static GDExtensionObjectPtr decode(Type value) { return value; }
};
template <class T>
  requires std::is_base_of_v<Instance, T>
struct Wire<T*> {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_OBJECT;
  using Type = GDExtensionObjectPtr;
  static Type encode(const T* value) { return value != nullptr ? value->object : nullptr; }
  static T* decode(Type value) { return instance_of<T>(value); }
};

/// A method of a class of the engine. Its bind is looked up at the first call.
template <class Signature>
class Method;
template <class R, class... A>
class Method<R(A...)> {
 public:
  /// `hash` is that of extension_api.json.
  constexpr Method(const char* class_name, const char* name, std::int64_t hash)
      : class_name_(class_name), name_(name), hash_(hash) {}
  /// Calls the method. A static method is called on null.
  R operator()(GDExtensionObjectPtr object, const std::type_identity_t<A>&... values) const {
    GDExtensionMethodBindPtr bind = bind_.load(std::memory_order_relaxed);
    if (bind == nullptr) {
      const StringName class_name(class_name_), name(name_);
      bind = api.classdb_get_method_bind(&class_name, &name, hash_);
      bind_.store(bind, std::memory_order_relaxed);
    }
    const std::tuple<typename Wire<A>::Type...> encoded{Wire<A>::encode(values)...};
    const auto call = [&](void* result) {
      std::apply(
          [&](const auto&... wires) {
            const std::array<const void*, sizeof...(A) + 1> pointers{&wires..., nullptr};
            api.object_method_bind_ptrcall(bind, object, pointers.data(), result);
          },
          encoded);
    };
    if constexpr (std::is_void_v<R>) {
      call(nullptr);
    } else {
      typename Wire<R>::Type result{};
      call(&result);
      return Wire<R>::decode(result);
    }
  }

 private:
  const char* class_name_;
  const char* name_;
  std::int64_t hash_;
  mutable std::atomic<GDExtensionMethodBindPtr> bind_ = nullptr;
};

/// A counted reference to an object of the engine, or null.
class Reference {
 public:
  Reference() = default;
  explicit Reference(GDExtensionObjectPtr object);
  Reference(const Reference& other) : Reference(other.object_) {}
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference();
  [[nodiscard]] GDExtensionObjectPtr object() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  GDExtensionObjectPtr object_ = nullptr;
};
/// A counted reference to an object of this extension. Null for objects of other classes.
template <class T>
class Ref : public Reference {
 public:
  Ref() = default;
  explicit Ref(GDExtensionObjectPtr object) : Ref(instance_of<T>(object)) {}
  explicit Ref(T* instance) : Reference(instance != nullptr ? instance->object : nullptr), instance_(instance) {}
  [[nodiscard]] T* get() const { return instance_; }
  T* operator->() const { return instance_; }
  explicit operator bool() const { return instance_ != nullptr; }

 private:
  T* instance_ = nullptr;
};
/// References to objects of the engine, for what methods return.
struct TextureReference : Reference {
  static constexpr const char* kClass = "Texture2D";
  TextureReference(Reference texture = {}) : Reference(std::move(texture)) {}
};
struct ImageReference : Reference {
  static constexpr const char* kClass = "Image";
  ImageReference(Reference image = {}) : Reference(std::move(image)) {}
};
/// The engine passes a reference as one pointer, and a returned reference is already counted: its type here.
template <class T>
  requires std::is_base_of_v<Reference, T>
struct Wire<T> {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_OBJECT;
  using Type = Reference;
  static const Reference& encode(const T& value) { return value; }
  static T decode(const Reference& value) { return T(value.object()); }
};

/// A value of any type.
class Variant {
 public:
  Variant() { api.variant_new_nil(bytes_); }
  Variant(const Variant& other) { api.variant_new_copy(bytes_, other.bytes_); }
  Variant(Variant&& other) noexcept : Variant() { std::swap(bytes_, other.bytes_); }
  Variant(const char* text) : Variant(String(text)) {}
  template <class T>
    requires(!std::is_same_v<T, Variant>)
  Variant(const T& value) {
    static const auto construct = api.get_variant_from_type_constructor(Wire<T>::kType);
    auto wire = Wire<T>::encode(value);
    construct(bytes_, &wire);
  }
  Variant& operator=(Variant other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Variant() { api.variant_destroy(bytes_); }
  [[nodiscard]] GDExtensionVariantType type() const { return api.variant_get_type(bytes_); }
  /// Returns the number of an object, which can have been freed, or 0.
  [[nodiscard]] GDObjectInstanceID object_id() const { return api.variant_get_object_instance_id(bytes_); }
  /// Returns the value as a T. The default of T if it is of a type that does not convert, or an object that was freed.
  template <class T>
  [[nodiscard]] T to() const {
    if constexpr (std::is_same_v<T, Variant>) {
      return *this;
    } else {
      if constexpr (Wire<T>::kType == GDEXTENSION_VARIANT_TYPE_OBJECT) {
        const GDObjectInstanceID id = object_id();
        const GDExtensionObjectPtr object = id != 0 ? api.object_get_instance_from_id(id) : nullptr;
        if constexpr (std::is_base_of_v<Reference, T>)
          return T(id >> 63 != 0 ? object : nullptr);  // The highest bit says that references are counted.
        else
          return Wire<T>::decode(object);
      } else {
        union Storage {
          typename Wire<T>::Type value;
          Storage() {}
          ~Storage() { std::destroy_at(&value); }
        } storage;
        static const auto convert = api.get_variant_to_type_constructor(Wire<T>::kType);
        convert(&storage.value, const_cast<std::byte*>(bytes_));
        return Wire<T>::decode(storage.value);
      }
    }
  }

 private:
  alignas(8) std::byte bytes_[24];
};
template <>
struct Wire<Variant> {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_NIL;
  using Type = Variant;
  static const Variant& encode(const Variant& value) { return value; }
  static const Variant& decode(const Variant& value) { return value; }
};

class Array : public Builtin<GDEXTENSION_VARIANT_TYPE_ARRAY, 8> {
 public:
  [[nodiscard]] std::size_t size() const;
  void resize(std::size_t size);
  Variant& operator[](std::size_t index) {
    return *static_cast<Variant*>(api.array_operator_index(bytes_, static_cast<GDExtensionInt>(index)));
  }
};
class Dictionary : public Builtin<GDEXTENSION_VARIANT_TYPE_DICTIONARY, 8> {
 public:
  [[nodiscard]] Array keys() const;
  /// Returns the value of a key, which is added if it is not there.
  Variant& operator[](const Variant& key) {
    return *static_cast<Variant*>(api.dictionary_operator_index(bytes_, &key));
  }
  /// Returns a copy of the value of a key, or nil.
  [[nodiscard]] Variant get(const Variant& key) const;
  /// Returns a copy that scripts cannot change.
  [[nodiscard]] Dictionary read_only() const;
};

/// Numbers of the engine, as extension_api.json has them.
enum Hint : std::uint32_t {
  kNoHint = 0,
  kRange = 1,
  kEnum = 2,
  kEnumSuggestion = 3,
  kFlags = 6,
  kFile = 13,
  kResourceType = 17,
  kColorNoAlpha = 21,
  kMultilineText = 18,
  kTypeString = 23,
  kDictionaryType = 38
};
enum Usage : std::uint32_t { kStored = 2, kEditor = 4, kDefaultUsage = 6 };
enum Notification : std::int32_t {
  kPostInitialize = 0,
  kPreDelete = 1,
  kExtensionReloaded = 2,
  kEnterTree = 10,
  kExitTree = 11,
  kReady = 13,
  kProcess = 17,
  kParented = 18,
  kUnparented = 19,
  kInternalProcess = 25,
  kDraw = 30,
  kVisibilityChanged = 31,
  kLocalTransformChanged = 35,
  kTransformChanged = 2000,
  kResetPhysicsInterpolation = 2001
};

/// A property, an argument or a returned value.
struct Property {
  GDExtensionVariantType type = GDEXTENSION_VARIANT_TYPE_NIL;
  StringName name;
  std::uint32_t hint = kNoHint;
  String hint_string;
  std::uint32_t usage = kDefaultUsage;
  StringName class_name;
  /// Returns what the engine reads, valid as long as this.
  [[nodiscard]] GDExtensionPropertyInfo info() { return {type, &name, &class_name, hint, &hint_string, usage}; }
};

/// Returns a description of a value of type T.
template <class T>
[[nodiscard]] Property property(std::string_view name, Hint hint = kNoHint, std::string_view hint_string = {},
                                std::uint32_t usage = kDefaultUsage) {
  Property made{Wire<T>::kType, name, hint, hint_string, usage, {}};
  using Plain = std::remove_pointer_t<T>;
  if constexpr (requires { Plain::kClass; })
    made.class_name = Plain::kClass;
  else if constexpr (requires(T t) { t.get()->kClass; })
    made.class_name = std::remove_pointer_t<decltype(T().get())>::kClass;
  if constexpr (std::is_same_v<T, Variant>) made.usage |= 1 << 17;  // NIL is Variant.
  if constexpr (std::is_enum_v<T>) {
    made.class_name = enum_name(T());
    made.usage |= 1 << 16;  // The class is an enum.
  }
  return made;
}

namespace detail {

template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Result = R;
  using Class = void;
  using Arguments = std::tuple<std::decay_t<A>...>;
};
template <class R, class C, class... A>
struct Signature<R (C::*)(A...)> : Signature<R (*)(A...)> {
  using Class = C;
};
template <class R, class C, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R (C::*)(A...)> {};

/// What the engine calls for a method: one function that takes Variants and one that takes pointers.
template <class T, auto kFunction>
struct Bound {
  using S = Signature<decltype(kFunction)>;
  using R = typename S::Result;
  static constexpr std::size_t kCount = std::tuple_size_v<typename S::Arguments>;
  static constexpr bool kStatic = std::is_void_v<typename S::Class>;
  template <std::size_t kIndex>
  using Argument = std::tuple_element_t<kIndex, typename S::Arguments>;

  template <class... V>
  static R invoke(void* instance, V&&... values) {
    if constexpr (kStatic)
      return kFunction(std::forward<V>(values)...);
    else
      return (static_cast<T*>(static_cast<Instance*>(instance))->*kFunction)(std::forward<V>(values)...);
  }
  static void call(void* defaults, void* instance, const GDExtensionConstVariantPtr* given, GDExtensionInt given_count,
                   GDExtensionVariantPtr result, GDExtensionCallError* error) {
    const auto& missing = *static_cast<const std::vector<Variant>*>(defaults);
    const auto count = static_cast<std::size_t>(given_count);
    error->error = GDEXTENSION_CALL_OK;
    if (count > kCount || count + missing.size() < kCount) {
      error->error =
          count > kCount ? GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS : GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS;
      error->expected = static_cast<std::int32_t>(count > kCount ? kCount : kCount - missing.size());
      return;
    }
    std::array<const Variant*, kCount + 1> values{};
    for (std::size_t i = 0; i < kCount; ++i) {
      values[i] = i < count ? static_cast<const Variant*>(given[i]) : &missing[i - (kCount - missing.size())];
    }
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      [[maybe_unused]] const auto wrong = [&](std::size_t index, GDExtensionVariantType type, bool converts) {
        if (converts) return false;
        *error = {GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT, static_cast<std::int32_t>(index), type};
        return true;
      };
      if ((wrong(kIndex, Wire<Argument<kIndex>>::kType, converts<Argument<kIndex>>(*values[kIndex])) || ...)) return;
      if constexpr (std::is_void_v<R>)
        invoke(instance, values[kIndex]->template to<Argument<kIndex>>()...);
      else
        *static_cast<Variant*>(result) = Variant(invoke(instance, values[kIndex]->template to<Argument<kIndex>>()...));
    }(std::make_index_sequence<kCount>());
  }
  static void ptrcall(void*, void* instance, const GDExtensionConstTypePtr* given, GDExtensionTypePtr result) {
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      if constexpr (std::is_void_v<R>) {
        invoke(instance, decode<Argument<kIndex>>(given[kIndex])...);
      } else {
        *static_cast<typename Wire<R>::Type*>(result) =
            Wire<R>::encode(invoke(instance, decode<Argument<kIndex>>(given[kIndex])...));
      }
    }(std::make_index_sequence<kCount>());
  }
  template <class A>
  static bool converts(const Variant& value) {
    constexpr GDExtensionVariantType kType = Wire<A>::kType;
    if (kType == GDEXTENSION_VARIANT_TYPE_NIL) return true;
    if (value.type() != kType && !api.variant_can_convert_strict(value.type(), kType)) return false;
    if constexpr (std::is_base_of_v<Reference, A>) return value.object_id() == 0 || value.to<A>();
    return true;
  }
  template <class A>
  static A decode(const void* wire) {
    return Wire<A>::decode(*static_cast<const typename Wire<A>::Type*>(wire));
  }
};

struct VirtualMethod {
  StringName name;
  GDExtensionClassMethodPtrCall call;
};
/// What the engine keeps pointers to until a class is unregistered.
struct ClassRecord {
  StringName name, parent;
  std::vector<VirtualMethod> virtual_methods;
  std::vector<std::unique_ptr<std::vector<Variant>>> defaults;
  Instance* (*create)();
};
ClassRecord& add_class(const char* name, const char* parent, Instance* (*create)(), GDExtensionClassCreationInfo5 info);
void add_method(ClassRecord& record, const char* name, std::uint32_t flags, GDExtensionClassMethodCall call,
                GDExtensionClassMethodPtrCall ptrcall, Property* result, std::span<Property> arguments,
                std::vector<Variant> defaults);
GDExtensionObjectPtr create_object(const char* class_name);

}  // namespace detail

/// Registers a class. T derives from Instance, names itself in `kClass`, and can have these functions:
///   void notification(int what);
///   bool set(const StringName& name, const Variant& value);   // true if there is such a property
///   bool get(const StringName& name, Variant& value);
///   std::vector<Property> property_list();
///   bool validate_property(const StringName& name, GDExtensionPropertyInfo& info);   // true if it changed `info`
template <class T>
class Class {
 public:
  /// Begins the description of a class whose parent is one of the engine or was registered before.
  explicit Class(const char* parent)
      : record_(detail::add_class(T::kClass, parent, []() -> Instance* { return new T; }, callbacks())) {}

  /// Adds a method, static or not. `defaults` are those of the last arguments.
  template <auto kFunction>
  Class& method(const char* name, std::vector<std::string_view> arguments = {}, std::vector<Variant> defaults = {}) {
    using B = detail::Bound<T, kFunction>;
    static_assert(B::kStatic || std::is_base_of_v<typename B::S::Class, T>);
    std::vector<Property> properties;
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      (properties.push_back(property<typename B::template Argument<kIndex>>(
           kIndex < arguments.size() ? arguments[kIndex] : std::string_view("value"))),
       ...);
    }(std::make_index_sequence<B::kCount>());
    Property result;
    if constexpr (!std::is_void_v<typename B::R>) result = property<typename B::R>("");
    detail::add_method(record_, name, B::kStatic ? GDEXTENSION_METHOD_FLAG_STATIC : GDEXTENSION_METHOD_FLAG_NORMAL,
                       B::call, B::ptrcall, std::is_void_v<typename B::R> ? nullptr : &result, properties,
                       std::move(defaults));
    return *this;
  }

  /// Adds a property with the methods get_NAME (is_NAME for truth values) and set_NAME.
  template <auto kGet, auto kSet>
  Class& property_of(const char* name, Hint hint = kNoHint, std::string_view hint_string = {},
                     std::uint32_t usage = kDefaultUsage) {
    using Value = std::decay_t<typename detail::Signature<decltype(kGet)>::Result>;
    const std::string getter = (std::is_same_v<Value, bool> ? "is_" : "get_") + std::string(name);
    const std::string setter = "set_" + std::string(name);
    method<kGet>(getter.c_str());
    method<kSet>(setter.c_str());
    Property made = property<Value>(name, hint, hint_string, usage);
    const GDExtensionPropertyInfo info = made.info();
    const StringName get_name(getter), set_name(setter);
    api.classdb_register_extension_class_property(api.library, &record_.name, &info, &set_name, &get_name);
    return *this;
  }

  /// Puts the properties that follow into a group of the inspector.
  Class& group(const char* title) {
    const String name(title), prefix;
    api.classdb_register_extension_class_property_group(api.library, &record_.name, &name, &prefix);
    return *this;
  }

  /// Adds a signal.
  Class& signal(const char* name, std::vector<Property> arguments = {}) {
    std::vector<GDExtensionPropertyInfo> infos;
    for (Property& argument : arguments) infos.push_back(argument.info());
    const StringName signal_name(name);
    api.classdb_register_extension_class_signal(api.library, &record_.name, &signal_name, infos.data(),
                                                static_cast<GDExtensionInt>(infos.size()));
    return *this;
  }

  /// Adds a value of an enum of the class.
  Class& constant(const char* enumeration, const char* name, std::int64_t value) {
    const StringName enum_name(enumeration), constant_name(name);
    api.classdb_register_extension_class_integer_constant(api.library, &record_.name, &enum_name, &constant_name, value,
                                                          0);
    return *this;
  }

  /// Overrides a virtual method of the engine, such as _process.
  template <auto kFunction>
  Class& overrides(const char* name) {
    record_.virtual_methods.push_back({name, detail::Bound<T, kFunction>::ptrcall});
    return *this;
  }

 private:
  static T& self(void* instance) { return *static_cast<T*>(static_cast<Instance*>(instance)); }
  static GDExtensionClassCreationInfo5 callbacks() {
    GDExtensionClassCreationInfo5 info{};
    if constexpr (requires(T t) { t.notification(0); }) {
      info.notification_func = [](void* instance, std::int32_t what, GDExtensionBool) {
        self(instance).notification(what);
      };
    }
    if constexpr (requires(T t, const StringName& name, const Variant& value) { t.set(name, value); }) {
      info.set_func = [](void* instance, const void* name, const void* value) -> GDExtensionBool {
        return self(instance).set(*static_cast<const StringName*>(name), *static_cast<const Variant*>(value));
      };
    }
    if constexpr (requires(T t, const StringName& name, Variant& value) { t.get(name, value); }) {
      info.get_func = [](void* instance, const void* name, void* value) -> GDExtensionBool {
        return self(instance).get(*static_cast<const StringName*>(name), *static_cast<Variant*>(value));
      };
    }
    if constexpr (requires(T t) { t.property_list(); }) {
      // The engine gives back the pointer and the count: one more element than it knows of has the list.
      struct List {
        std::vector<GDExtensionPropertyInfo> infos;
        std::vector<Property> properties;
      };
      info.get_property_list_func = [](void* instance, std::uint32_t* count) -> const GDExtensionPropertyInfo* {
        auto* const list = new List{{}, self(instance).property_list()};
        for (Property& made : list->properties) list->infos.push_back(made.info());
        list->infos.push_back({.name = list});
        *count = static_cast<std::uint32_t>(list->properties.size());
        return list->infos.data();
      };
      info.free_property_list_func = [](void*, const GDExtensionPropertyInfo* first, std::uint32_t count) {
        auto* const list = static_cast<List*>(first[count].name);  // GCC 12 would read it again after it is freed.
        delete list;
      };
    }
    if constexpr (requires(T t, const StringName& name, GDExtensionPropertyInfo& p) { t.validate_property(name, p); }) {
      info.validate_property_func = [](void* instance, GDExtensionPropertyInfo* p) -> GDExtensionBool {
        return self(instance).validate_property(*static_cast<const StringName*>(p->name), *p);
      };
    }
    return info;
  }
  detail::ClassRecord& record_;
};

/// Creates an object of a class of this extension. A node belongs to the caller until it has a parent.
template <class T>
[[nodiscard]] T* create() {
  return instance_of<T>(detail::create_object(T::kClass));
}

/// Returns a singleton of the engine.
[[nodiscard]] GDExtensionObjectPtr singleton(const char* name);

/// Emits a signal of an object.
void emit_signal(GDExtensionObjectPtr object, const char* name, std::vector<Variant> arguments = {});

/// Reports a message of this extension in the engine's log and in the editor.
void report_error(const std::string& message);
/// Reports a warning of this extension in the engine's log and in the editor.
void report_warning(const std::string& message);

}  // namespace godot

#endif
