// A job type for Flamenco: copy it into the folder "scripts" of Flamenco Manager. It draws the characters of a list,
// each task its share of them.
const JOB_TYPE = {
  label: "Character thumbnails",
  description: "Draw a thumbnail of each character in a list",
  settings: [
    { key: "list", type: "string", subtype: "file_path", required: true, description: "Names of characters, by line" },
    { key: "output", type: "string", subtype: "dir_path", required: true, description: "Folder of the thumbnails" },
    { key: "shards", type: "int32", default: 40, description: "Number of tasks" },
    { key: "size", type: "string", default: "128x128", description: "Width and height in pixels" },
  ],
};

function compileJob(job) {
  const { list, output, shards, size } = job.settings;
  if (shards < 1) throw "shards must be at least 1";
  for (let shard = 1; shard <= shards; shard++) {
    const task = author.Task(`thumbnails-${shard}`, "misc");
    task.addCommand(author.Command("exec", {
      exe: "pchr",
      args: ["render", "--files-from", list, "--shard", `${shard}/${shards}`, "--keep-going", "--if-changed",
        "--manifest", `${output}/manifests/${shard}.json`, "--size", size, "-o", `${output}/{file}.png`],
    }));
    job.addTask(task);
  }
}
