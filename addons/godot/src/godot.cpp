#include "godot.hpp"

#include "classes.hpp"

#include <deque>

#ifdef _WIN32
#define PCHR_GODOT_EXPORT __declspec(dllexport)
#else
#define PCHR_GODOT_EXPORT __attribute__((visibility("default")))
#endif

namespace godot {
namespace {

/// Classes of the extension, in the order they were registered. The engine keeps pointers to them.
std::deque<detail::ClassRecord> records;

const GDExtensionInstanceBindingCallbacks kBinding{nullptr, [](void*, void*, void*) {},
                                                   [](void*, void*, GDExtensionBool) -> GDExtensionBool { return 1; }};

const Method<void(std::int64_t, bool)> notify{"Object", "notification", 4023243586};
const Method<bool()> init_ref{"RefCounted", "init_ref", 2240911060};
const Method<bool()> unreference{"RefCounted", "unreference", 2240911060};

Instance* attach(const detail::ClassRecord& record, GDExtensionObjectPtr object) {
  Instance* const instance = record.create();
  instance->object = object;
  api.object_set_instance_binding(object, api.library, instance, &kBinding);
  return instance;
}

GDExtensionObjectPtr create_instance(void* record, GDExtensionBool post_initialize) {
  const auto& made = *static_cast<const detail::ClassRecord*>(record);
  const GDExtensionObjectPtr object = api.classdb_construct_object2(&made.parent);
  api.object_set_instance(object, &made.name, attach(made, object));
  if (post_initialize != 0) notify(object, kPostInitialize, false);
  return object;
}

void* get_virtual(void* record, const void* name, std::uint32_t) {
  for (detail::VirtualMethod& method : static_cast<detail::ClassRecord*>(record)->virtual_methods) {
    if (method.name == *static_cast<const StringName*>(name)) return &method;
  }
  return nullptr;
}

void initialize(void*, GDExtensionInitializationLevel level) {
  if (level == GDEXTENSION_INITIALIZATION_SCENE) register_classes();
  if (level == GDEXTENSION_INITIALIZATION_EDITOR) load_documentation();
}

void deinitialize(void*, GDExtensionInitializationLevel level) {
  if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
  for (; !records.empty(); records.pop_back()) {
    api.classdb_unregister_extension_class(api.library, &records.back().name);
  }
  free_shared();
}

}  // namespace

GDExtensionPtrBuiltInMethod builtin_method(GDExtensionVariantType type, const char* name, std::int64_t hash) {
  const StringName method(name);
  return api.variant_get_ptr_builtin_method(type, &method, hash);
}

// A new object counts one reference that belongs to nobody. This takes it, or adds one.
Reference::Reference(GDExtensionObjectPtr object) : object_(object) {
  if (object_ != nullptr && !init_ref(object_)) object_ = nullptr;
}

Reference::~Reference() {
  if (object_ != nullptr && unreference(object_)) api.object_destroy(object_);
}

std::size_t Array::size() const {
  static const auto method = builtin_method(kType, "size", 3173160232);
  std::int64_t count = 0;
  method(const_cast<std::byte*>(bytes_), nullptr, &count, 0);
  return static_cast<std::size_t>(count);
}

void Array::resize(std::size_t size) {
  static const auto method = builtin_method(kType, "resize", 848867239);
  const auto count = static_cast<std::int64_t>(size);
  const void* const argument = &count;
  std::int64_t error = 0;
  method(bytes_, &argument, &error, 1);
}

Variant Dictionary::get(const Variant& key) const {
  static const auto method = builtin_method(kType, "get", 2205440559);
  const Variant none;
  const std::array<const void*, 2> arguments{&key, &none};
  Variant value;
  method(const_cast<std::byte*>(bytes_), arguments.data(), &value, 2);
  return value;
}

Array Dictionary::keys() const {
  static const auto method = builtin_method(kType, "keys", 4144163970);
  Array names;
  method(const_cast<std::byte*>(bytes_), nullptr, &names, 0);
  return names;
}

Dictionary Dictionary::read_only() const {
  static const auto duplicate = builtin_method(kType, "duplicate", 830099069);
  static const auto make_read_only = builtin_method(kType, "make_read_only", 3218959716);
  const GDExtensionBool deep = 0;
  const void* const argument = &deep;
  Dictionary copy;
  duplicate(const_cast<std::byte*>(bytes_), &argument, &copy, 1);
  make_read_only(copy.bytes_, nullptr, nullptr, 0);
  return copy;
}

namespace detail {

ClassRecord& add_class(const char* name, const char* parent, Instance* (*create)(),
                       GDExtensionClassCreationInfo5 info) {
  ClassRecord& record = records.emplace_back(name, parent);
  record.create = create;
  info.is_exposed = 1;
  info.create_instance_func = create_instance;
  info.free_instance_func = [](void*, void* instance) { delete static_cast<Instance*>(instance); };
  info.recreate_instance_func = [](void* made, void* object) -> void* {
    return attach(*static_cast<const ClassRecord*>(made), object);
  };
  info.get_virtual_call_data_func = get_virtual;
  info.call_virtual_with_data_func = [](void* instance, const void*, void* method, const void* const* arguments,
                                        void* result) {
    static_cast<VirtualMethod*>(method)->call(nullptr, instance, arguments, result);
  };
  info.class_userdata = &record;
  api.classdb_register_extension_class5(api.library, &record.name, &record.parent, &info);
  return record;
}

void add_method(ClassRecord& record, const char* name, std::uint32_t flags, GDExtensionClassMethodCall call,
                GDExtensionClassMethodPtrCall ptrcall, Property* result, std::span<Property> arguments,
                std::vector<Variant> defaults) {
  StringName method_name(name);
  auto& kept = *record.defaults.emplace_back(std::make_unique<std::vector<Variant>>(std::move(defaults)));
  std::vector<GDExtensionVariantPtr> default_pointers;
  for (Variant& value : kept) default_pointers.push_back(&value);
  std::vector<GDExtensionPropertyInfo> infos;
  for (Property& argument : arguments) infos.push_back(argument.info());
  std::vector<GDExtensionClassMethodArgumentMetadata> metadata(infos.size(), GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE);
  GDExtensionPropertyInfo result_info{};
  if (result != nullptr) result_info = result->info();
  const GDExtensionClassMethodInfo info{
      .name = &method_name,
      .method_userdata = &kept,
      .call_func = call,
      .ptrcall_func = ptrcall,
      .method_flags = flags,
      .has_return_value = result != nullptr,
      .return_value_info = &result_info,
      .return_value_metadata = GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE,
      .argument_count = static_cast<std::uint32_t>(infos.size()),
      .arguments_info = infos.data(),
      .arguments_metadata = metadata.data(),
      .default_argument_count = static_cast<std::uint32_t>(default_pointers.size()),
      .default_arguments = default_pointers.data(),
  };
  api.classdb_register_extension_class_method(api.library, &record.name, &info);
}

GDExtensionObjectPtr create_object(const char* class_name) {
  const StringName name(class_name);
  const GDExtensionObjectPtr object = api.classdb_construct_object2(&name);
  notify(object, kPostInitialize, false);
  return object;
}

}  // namespace detail

GDExtensionObjectPtr singleton(const char* name) {
  const StringName singleton_name(name);
  return api.global_get_singleton(&singleton_name);
}

void emit_signal(GDExtensionObjectPtr object, const char* name, std::vector<Variant> arguments) {
  const StringName class_name("Object"), method("emit_signal");
  const GDExtensionMethodBindPtr bind = api.classdb_get_method_bind(&class_name, &method, 4047867050);
  arguments.insert(arguments.begin(), Variant(StringName(name)));
  std::vector<GDExtensionConstVariantPtr> pointers;
  for (const Variant& argument : arguments) pointers.push_back(&argument);
  Variant result;
  GDExtensionCallError error{};
  api.object_method_bind_call(bind, object, pointers.data(), static_cast<GDExtensionInt>(pointers.size()), &result,
                              &error);
}

void report_error(const std::string& message) { api.print_error(message.c_str(), "pchr", "pchr", 0, 1); }
void report_warning(const std::string& message) { api.print_warning(message.c_str(), "pchr", "pchr", 0, 1); }

}  // namespace godot

/// Called by the engine when it loads the library, as pchr.gdextension says.
extern "C" PCHR_GODOT_EXPORT GDExtensionBool pchr_godot(GDExtensionInterfaceGetProcAddress get_proc_address,
                                                        GDExtensionClassLibraryPtr library,
                                                        GDExtensionInitialization* initialization) {
  using namespace godot;
  api.get_proc_address = get_proc_address;
  api.library = library;
#define PCHR_GODOT_FUNCTION(name, type) \
  api.name = reinterpret_cast<GDExtensionInterface##type>(get_proc_address(#name));
  PCHR_GODOT_FUNCTIONS(PCHR_GODOT_FUNCTION)
#undef PCHR_GODOT_FUNCTION
  initialization->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
  initialization->initialize = initialize;
  initialization->deinitialize = deinitialize;
  return 1;
}
