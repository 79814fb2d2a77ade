// SPDX-License-Identifier: MIT
// Compiles a job with a job type of Flamenco, as its manager does, and prints the tasks as JSON:
//   node flamenco.js JOB_TYPE SETTINGS
"use strict";
const fs = require("fs");
const vm = require("vm");

const TASK_TYPES = ["blender", "ffmpeg", "file-management", "misc"];
const TYPES = { string: "string", int32: "number", float: "number", bool: "boolean" };

const [file, given] = process.argv.slice(2);
const author = {
  Task(name, type) {
    if (!TASK_TYPES.includes(type)) throw new Error(`${type} is no type of a task`);
    const task = { name, type, commands: [] };
    Object.defineProperty(task, "addCommand", { value: (command) => task.commands.push(command) });
    return task;
  },
  Command(name, parameters) {
    if (name !== "exec") throw new Error(`this test does not know the command ${name}`);
    if (typeof parameters.exe !== "string" || !parameters.args.every((each) => typeof each === "string")) {
      throw new Error("exe and args of the command exec must be text");
    }
    return { name, parameters };
  },
};
const context = vm.createContext({ author });
// The manager's interpreter makes const at the top visible to it.
const script = `${fs.readFileSync(file, "utf8")}\n;({ JOB_TYPE, compileJob })`;
const { JOB_TYPE, compileJob } = vm.runInContext(script, context);
const settings = JSON.parse(given);
for (const { key, type, required, default: value } of JOB_TYPE.settings) {
  if (settings[key] === undefined) settings[key] = value;
  if (settings[key] === undefined && required) throw new Error(`the setting ${key} is required`);
  if (typeof settings[key] !== TYPES[type]) throw new Error(`the setting ${key} is not a ${type}`);
}
const tasks = [];
compileJob({ settings, addTask: (task) => tasks.push(task) });
console.log(JSON.stringify(tasks));
