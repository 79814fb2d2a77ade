// SPDX-License-Identifier: MIT
#include "tool.hpp"

#include "platform/file_path.hpp"
#include "platform/file_system.hpp"
#include "platform/output_file.hpp"
#include "platform/read_file.hpp"
#include "platform/standard_streams.hpp"
#include "platform/system_error.hpp"
#include "platform/terminal.hpp"
#include "platform/utf8_path.hpp"

#include <charconv>
#include <cmath>
#include <future>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;

// Parses CLIP[:FRAME]. Clip names can contain colons, so only digits after the last colon are a frame.
BindPose parse_bind_pose(const std::string& text) {
  if (text == "auto") return AutomaticBindPose{};
  if (text == "identity") return IdentityBindPose{};
  if (const std::size_t colon = text.rfind(':'); colon != std::string::npos) {
    std::uint32_t frame = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, frame);
    if (error == std::errc() && stopped == end) return ClipBindPose{text.substr(0, colon), frame};
  }
  return ClipBindPose{text};
}

// A keyword next to other names is the name of a layer.
LayerChoice parse_layers(const std::vector<std::string>& choice) {
  if (choice.size() == 1 && choice[0] == "visible") return {};
  if (choice.size() == 1 && choice[0] == "all") return {LayerChoice::Which::all, {}, {}};
  return {LayerChoice::Which::named, choice, {}};
}

void add_psk_options(CLI::App& command, ImportOptions& options) {
  using Paths = std::vector<std::string>;
  const auto add = [&command](const char* name, const char* argument, const auto& use, const char* description) {
    return command.add_option_function<Paths>(name, use, description)
        ->option_text(argument)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  const auto set_animations = [&options](Paths paths) {
    options.also_find_animations = std::erase(paths, "auto") > 0;
    options.animations.assign(paths.begin(), paths.end());
  };
  add("--animation", "FILE", set_animations,
      "For a .psk: play this .psa file instead of those found next to it (repeatable; auto keeps those found)");
  const auto add_animations = [&options](const Paths& paths) {
    // CLI11 runs the callbacks in the order of the options: --animation has already replaced the files to be found.
    options.also_find_animations |= options.animations.empty();
    options.animations.insert(options.animations.end(), paths.begin(), paths.end());
  };
  add("--also-animation", "FILE", add_animations,
      "For a .psk: play this .psa file in addition to those found or named by --animation (repeatable)");
  const auto set_folders = [&options](const Paths& folders) {
    options.texture_folders.assign(folders.begin(), folders.end());
  };
  const auto is_folder = [](const std::string& path) {
    std::error_code ignored;
    return fs::is_directory(path_from_utf8(path), ignored) ? std::string() : '"' + path + "\" is not a folder";
  };
  add("--textures", "DIR", set_folders, "For a .psk: search this folder first for textures and .mat files (repeatable)")
      ->check(is_folder);
}

void note_listing(void* /*user*/, const std::string& folder) {
  Task& task = current_task();
  if (std::ranges::find(task.folders, folder, &ListedFolder::path) != task.folders.end()) return;
  task.folders.push_back({folder, task.keeps_states ? names_in_folder(folder) : std::vector<std::string>()});
}

// Set by --hex. Subcommands report diagnostics from many places, and all of them follow it.
bool hex_offsets = false;

}  // namespace

void fail(const ExportError& error) {
  using enum ExportError::Kind;
  const bool is_usage = error.kind == request || error.kind == exists;
  fail(is_usage ? ExitCode::usage : ExitCode::environment, error.message.empty() ? "" : "pchr: " + error.message);
}

void fail(const Diagnostic& diagnostic, const std::string& file) {
  ExitCode code = ExitCode::bad_data;
  if (diagnostic.id == DiagnosticId::unreadable_file) code = ExitCode::unreadable;
  // The command line named a bind pose that does not exist; the file is valid.
  if (diagnostic.id == DiagnosticId::unknown_bind_clip) code = ExitCode::usage;
  throw Failure{code, {Severity::error, input_name(file), describe_in(file, diagnostic, Hint::shown), diagnostic}};
}

ExitCode run_and_report(const std::function<void()>& work) {
  try {
    work();
    return ExitCode::success;
  } catch (const Failure& failure) {
    end_if_interrupted();
    if (!failure.message.text.empty()) report(failure.message);
    // Files appear together or not at all.
    if (failure.exit_code != ExitCode::different) current_task().written.clear();
    return failure.exit_code;
  } catch (const std::exception& error) {
    report({.text = fmt::format("pchr: {}", printable(error.what()))});
    return ExitCode::environment;
  }
}

void check_usage(std::initializer_list<std::pair<bool, const char*>> mistakes) {
  for (const auto& [made, message] : mistakes) {
    if (made) fail(ExitCode::usage, "{}", message);
  }
}

std::string check_finite(const std::string& text) {
  return std::isfinite(std::strtof(text.c_str(), nullptr)) ? "" : '"' + text + "\" is not a finite number";
}

std::string check_above_0(const std::string& text) {
  const double value = std::strtod(text.c_str(), nullptr);
  return value > 0 && std::isfinite(value) ? "" : '"' + text + "\" is not a positive number";
}

CLI::Validator check_range(double min, double max) {
  const auto check = [min, max](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == '\0' && value >= min && value <= max && std::isfinite(value))
      return std::string();
    const std::string range =
        std::isinf(max) ? fmt::format("at least {}", min) : fmt::format("from {} to {}", min, max);
    return fmt::format("\"{}\" is not a number {}", text, range);
  };
  return {check, ""};
}

CLI::Validator check_choice(const std::vector<std::string>& names) {
  const auto check = [names](const std::string& text) {
    return std::ranges::count(names, text) > 0 ? std::string()
                                               : fmt::format("\"{}\" is not one of {}", text, fmt::join(names, ", "));
  };
  return {check, ""};
}

void begin_group(CLI::App& command, const char* heading) { command.option_defaults()->group(heading); }

CLI::Option* add_compression_option(CLI::App& command, PngCompression& target) {
  using enum PngCompression;
  return add_choice<PngCompression>(
      command, "--compression", target, {{"fast", fast}, {"default", normal}, {"best", best}},
      fmt::format("Write PNG files fast or small{}", target == fast ? " (default: fast)" : ""));
}

CLI::Option* add_mega_option(CLI::App& command, const std::string& name, std::uint64_t& target,
                             const std::string& description) {
  return command
      .add_option_function<std::uint32_t>(
          name, [&target](std::uint32_t megas) { target = std::uint64_t{megas} << 20; }, description)
      ->option_text("N");
}

CLI::Option* add_pair_option(CLI::App& command, const std::string& name, std::vector<float>& target,
                             const std::string& argument, const std::string& description) {
  return add_option(command, name, target, argument, description, check_finite)->delimiter(',')->expected(2);
}

void add_input_options(CLI::App& command, InputOptions& options) {
  add_option(command, "FILE", options.file, "", "Character to read; - is standard input")->required();
  add_load_options(command, options);
}

void add_inputs_options(CLI::App& command, InputOptions& options) {
  add_batch_options(command, options.batch);
  add_load_options(command, options);
  add_confinement_options(command, options.batch.workers);
}

void add_load_options(CLI::App& command, InputOptions& options) {
  ImportOptions& load = options.load;
  begin_group(command, "Input");
  command.add_flag("--no-images", options.no_images, "Do not decode images, so broken pixels are not an error");
  const auto set_bind_pose = [&load](const std::string& text) { load.bind_pose = parse_bind_pose(text); };
  add_option(command, "--bind", set_bind_pose, "POSE", "Bind pose: CLIP[:FRAME], identity or auto (default: auto)");
  add_chp_options(command, load);
  const auto set_layers = [&load](const std::vector<std::string>& choice) { load.layers = parse_layers(choice); };
  command
      .add_option_function<std::vector<std::string>>(
          "--layers", set_layers,
          "For a .px: layers to draw: visible, all (without reference layers) or a name (repeatable; default: visible)")
      ->option_text("NAME")
      ->allow_extra_args(false);
  add_psk_options(command, load);
  command
      .add_option_function<std::vector<std::string>>(
          "--texture", [&load](const std::vector<std::string>& files) { load.images = files; },
          "For JSON, .chp and .psk: use this file for images with its name (repeatable)")
      ->option_text("FILE")
      ->allow_extra_args(false);
  begin_group(command, "Limits");
  add_mega_option(command, "--max-file-mb", load.limits.max_file_bytes, "Max size of a file, in MiB (default: 1024)");
  add_mega_option(command, "--max-megapixels", load.limits.max_image_pixels,
                  "Max size of all decoded images, in megapixels (default: 64)");
  add_mega_option(command, "--max-samples", load.limits.max_bone_samples,
                  "Max number of bones times frames, in millions (default: 16)");
  begin_group(command, "Options");
  command.add_flag("--hex", hex_offsets, "Report byte offsets in hexadecimal");
}

void add_rig_option(CLI::App& command, InputOptions& options) {
  begin_group(command, "Input");
  add_option(command, "--rig", options.rig, "FILE",
             "Read the markers and the rig from this file instead of the one next to the character");
  begin_group(command, "Options");
}

void add_chp_options(CLI::App& command, ImportOptions& options) {
  add_option(command, "--encoding", options.text_encoding, "NAME",
             "For a .chp: text encoding, as named by iconv (default: detected)");
  command.add_flag("--second-player", options.second_player, "For a .chp: use the second player's images");
  command.add_flag("--black-key", options.black_color_key,
                   "For a legacy .chp without #AutoColorSet: make black transparent (default: the color of the corner "
                   "pixel)");
}

std::string input_name(const std::string& file) { return file == "-" ? "standard input" : file; }

std::string shown_offset(std::uint64_t offset) { return hex_offsets ? fmt::format("{:#x}", offset) : grouped(offset); }

std::string describe_in(const std::string& file, const Diagnostic& diagnostic, Hint hint) {
  return describe(diagnostic, input_name(file), {.hex = hex_offsets, .hint = hint == Hint::shown});
}

std::string input_stem(const std::string& file) { return file == "-" ? "stdin" : utf8_of(path_from_utf8(file).stem()); }

void check_animations(const InputOptions& options) {
  for (const std::string& path : options.load.animations) {
    // With this limit, it is opened but not read.
    const auto file = read_file(path, 0);
    if (!file && file.error().id != DiagnosticId::limit_exceeded) fail(file.error(), path);
  }
}

void note_read(const std::string& path) {
  Task& task = current_task();
  const bool is_file = path != "-";
  if (is_file && find_kind(path) == FileKind::none) {
    task.missing.push_back(path);
  } else {
    // Without a state, standard input is never the same.
    task.read.push_back({path, is_file && task.keeps_states ? state_to_read(path) : FileState{}});
  }
}

Expected<Imported, LoadError> load_input(const std::string& file, const ImportOptions& options) {
  ImportOptions noting = options;
  const auto note = [&](const std::string& path) {
    note_read(path);
    if (options.before_reading) options.before_reading(path);
  };
  noting.before_reading = note;
  noting.before_listing = {note_listing, nullptr};
  if (file != "-") return import_character(file, noting);
  note_read(file);
  const auto bytes = read_standard_input(options.limits.max_file_bytes);
  if (!bytes) return Unexpected(bytes.error());
  return import_character(*bytes, noting);
}

Input open_input(const InputOptions& options, const std::function<void()>& start) {
  check_animations(options);
  isolate(options, start);
  const bool isolated = options.batch.workers.isolated;
  const std::function<void()> meanwhile = isolated ? nullptr : start;
  ImportOptions load_options = options.load;
  load_options.read_file = reader_of(options);
  const auto note = [&](const std::string& path) {
    options.read->add(path);
    if (options.load.before_reading) options.load.before_reading(path);
  };
  load_options.before_reading = note;
  load_options.executor = executor();
  Input input{or_fail(load_input(options.file, load_options), options.file), {}};
  std::future<Expected<std::vector<Bitmap>, Diagnostic>> decoded;
  if (!options.no_images) {
    decoded = std::async(meanwhile ? std::launch::async : std::launch::deferred,
                         [&] { return decode_images(input.character, options.load.limits, load_options.executor); });
  }
  if (meanwhile) meanwhile();
  if (decoded.valid()) input.bitmaps = or_fail(decoded.get(), options.file);
  return input;
}

void isolate(const InputOptions& options, const std::function<void()>& meanwhile) {
  if (!options.batch.workers.isolated) return;
  if (!current_task().sandbox.empty()) return meanwhile ? meanwhile() : void();
  const std::uint64_t max_bytes = options.load.limits.max_file_bytes;
  options.named->add(options.file, max_bytes);
  if (!options.rig.empty()) options.named->add(options.rig, max_bytes);
  for (const auto* paths : {&options.load.images, &options.load.animations, &options.also_read}) {
    for (const std::string& path : *paths) options.named->add(path, max_bytes);
  }
  if (meanwhile) meanwhile();
  current_task().sandbox = lock_down(options.file, options.output, options.load.text_encoding);
}

ReadFile reader_of(const InputOptions& options) {
  return options.batch.workers.isolated ? ReadFile(*options.named) : ReadFile();
}

std::optional<std::string> sidecar_path(const InputOptions& options) {
  if (!options.rig.empty()) {
    note_read(options.rig);
    return options.rig;
  }
  if (options.file == "-" || options.batch.workers.isolated) return std::nullopt;
  const auto path = find_sidecar(options.file);
  for (const std::string& candidate : {rig_path(options.file), markers_path(options.file)}) {
    note_read(candidate);
    if (candidate == path) break;
  }
  return path;
}

Sidecar open_sidecar(const Character& character, const InputOptions& options) {
  const auto path = sidecar_path(options);
  if (!path) return {};
  if (options.load.before_reading) options.load.before_reading(*path);
  options.read->add(*path);
  return or_fail(load_rig(*path, character, reader_of(options)), *path);
}

void print_warnings(const Input& input, const InputOptions& options) {
  for (const Diagnostic& warning : input.character.warnings()) report(warning, options.file);
}

void add_moment_options(CLI::App& command, MomentOptions& options) {
  CLI::Option* frame = add_option(command, "--frame", options.frame, "N", "Frame of the clip, from 0 (default: 0)");
  add_option(command, "--time", options.seconds, "S",
             "Time in seconds; looping clips wrap, others hold their first and last frames", check_finite)
      ->excludes(frame);
  command.add_flag("--smooth", options.smooth, "Interpolate between frames; needs --time");
}

ClipId find_clip(const Character& character, const std::string& name) {
  if (const ClipId clip = character.find_clip(name); clip != ClipId::none) return clip;
  std::string message = fmt::format("pchr: there is no clip named \"{}\"; ", shown(name));
  if (character.clips().empty()) fail(ExitCode::usage, message + "the character has no clips");
  message += "the clips are:";
  for (const Clip& clip : character.clips()) message += "\n  " + shown(clip.name);
  fail(ExitCode::usage, message);
}

std::vector<ClipId> find_clips(const Character& character, const std::vector<std::string>& names) {
  std::vector<ClipId> found;
  for (const std::string& name : names) found.push_back(find_clip(character, name));
  for (const ClipId clip : character.clips().ids()) {
    if (names.empty() && !is_bind_pose_clip(character, clip)) found.push_back(clip);
  }
  return found;
}

ClipTime find_time(const Clip& clip, const MomentOptions& options) {
  if (options.seconds) return clip_time(clip, *options.seconds, options.smooth ? Sampling::smooth : Sampling::step);
  const std::uint32_t frame = options.frame.value_or(0);
  if (options.frame && frame >= clip.frame_count) {
    fail(ExitCode::usage, "frame {} does not exist; the clip \"{}\" has {}", frame, shown(clip.name),
         clip.frame_count == 0 ? "no frames" : fmt::format("frames 0 to {}", clip.frame_count - 1));
  }
  return {frame, frame, 0.0F};
}

void report(Message message) {
  if (!is_worker()) print_message(message);
  current_task().messages.push_back(std::move(message));
}

void report_warning(const std::string& file, std::string text) {
  report({Severity::warning, file, std::move(text), std::nullopt});
}

void report(const Diagnostic& diagnostic, const std::string& file) {
  report({severity(diagnostic.id), input_name(file), describe_in(file, diagnostic), diagnostic});
}

void write_stdout(std::string_view bytes) {
  Task& task = current_task();
  if (is_worker() || task.keeps_states) task.out += bytes;
  if (is_worker()) return;
  or_fail(OutputFiles({}).write("-", std::as_bytes(std::span(bytes))));
}

void print_text(std::string_view text) { write_stdout(printable_lines(text)); }

void write_files(std::span<const OutputFile> files, Existing existing, const InputFiles& inputs) {
  std::vector<std::string> present;
  for (const OutputFile& file : files) {
    or_fail(inputs.check_output(file.path));
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path_from_utf8(file.path), error);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_symlink(status) && !fs::is_directory(status)) {
      fail(ExitCode::environment, "cannot write {}: not a regular file", printable(file.path));
    }
    if (fs::exists(status) && !fs::is_directory(status)) present.push_back(file.path);
  }
  std::vector<WrittenFile>& written = current_task().written;
  for (const OutputFile& file : files) written.push_back({.path = file.path});
  if (existing == Existing::skip && skip_if_written()) return;
  if (existing == Existing::keep && !present.empty()) {
    if (present.size() == 1)
      fail(ExitCode::usage, "{} already exists; use --force to replace it", printable(present[0]));
    std::string message = "pchr: these files already exist; use --force to replace them:";
    for (const std::string& path : present) message += "\n  " + printable(path);
    fail(ExitCode::usage, message);
  }
  catch_interrupts();
  for (const OutputFile& file : files) create_folder_of(file.path);
  OutputFiles output(inputs, false);
  for (const OutputFile& file : files) {
    if (interrupted()) fail(ExitCode::environment);
    or_fail(output.write(file.path, std::as_bytes(std::span(file.bytes))));
  }
  or_fail(output.publish(existing));
}

void create_folder_of(const std::string& path) {
  const std::string folder(folder_of(path));
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(path_from_utf8(folder), error);
  if (error) fail(ExitCode::environment, "cannot create the folder {}: {}", printable(folder), error_text(error));
}

bool skip_if_written() {
  Task& task = current_task();
  const auto exists = [](const WrittenFile& file) { return find_kind(file.path) == FileKind::file; };
  if (task.written.empty() || !std::ranges::all_of(task.written, exists)) return false;
  task.status = TaskStatus::skipped;
  return true;
}

void write_file(const std::string& path, std::string_view bytes, Existing existing, const InputFiles& inputs) {
  const std::string target = follow_link(path);
  if (find_kind(target) == FileKind::other) {
    return or_fail(OutputFiles(inputs).write(path, std::as_bytes(std::span(bytes))));
  }
  const OutputFile file{target, bytes};
  write_files({&file, 1}, existing, inputs);
}

void write_png(Bitmap image, const std::string& path, const InputFiles& inputs, PngCompression compression) {
  unpremultiply(image);
  const std::vector<std::byte> png = encode_png(image, compression);
  if (path == "-") return write_stdout(text_of(png));
  write_file(path, text_of(png), Existing::replace, inputs);
  current_task().written = {{path, image.width, image.height, 1}};
}

void run_job(ExportJob job) {
  catch_interrupts();
  ProgressBar bar;
  const auto go_on = [&] {
    bar.show(job.done(), job.total());
    return !interrupted();
  };
  const ExportResult<void> result = job.run(go_on);
  bar.erase();
  or_fail(result);
}

std::string shown(std::string_view name) { return name.empty() ? "\"\"" : printable(name); }

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 1 || !many.empty()) return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
  return fmt::format("{} {}s", grouped(count), one);
}

Table::Table(Cells titles) : numbered_(titles.front() == ">") {
  for (std::string& title : titles) {
    align_right_.push_back(title.starts_with('>'));
    if (align_right_.back()) title.erase(0, 1);
  }
  if (numbered_) titles.front() = "#";
  rows_.push_back(std::move(titles));
}

void Table::add(Cells cells) {
  if (numbered_) cells.insert(cells.begin(), std::to_string(rows_.size() - 1));
  rows_.push_back(std::move(cells));
}

namespace {

// East Asian characters and pictographs, which occupy two columns of a terminal.
constexpr std::pair<char32_t, char32_t> kWide[]{
    {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
    {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

// Returns the number of terminal columns of UTF-8 text.
std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int following = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    char32_t code = following == 0 ? lead : lead & (0x3fU >> following);
    for (int i = 0; i < following && at < text.size(); ++i) {
      code = code << 6U | (static_cast<unsigned char>(text[at++]) & 0x3fU);
    }
    const auto holds = [&](const auto& range) { return code >= range.first && code <= range.second; };
    width += std::ranges::any_of(kWide, holds) ? 2 : 1;
  }
  return width;
}

}  // namespace

void Table::append_to(std::string& out) const {
  std::vector<std::size_t> widths(align_right_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - display_width(row[i]), ' ');
      line += "  " + (align_right_[i] ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
}

}  // namespace pchr::tools
