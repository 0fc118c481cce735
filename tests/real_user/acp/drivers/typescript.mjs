// `node typescript.mjs SDK AGENT…`: an editor on the official TypeScript SDK, led by lines on standard input.
// Each line is a step, `{"do": …}`; each answer holds its result or error, and the updates since the last answer.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const [sdk, program, ...words] = process.argv.slice(2);
const acp = await import(pathToFileURL(sdk));
const call = acp.methods.agent;
const hear = acp.methods.client;
const CAPABILITIES = {
  fs: { readTextFile: true, writeTextFile: true },
  session: { compaction: {}, notices: {} },
  elicitation: { form: {} },
};

let agent, connection, step;
const updates = [];

function open() {
  agent = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
  connection = acp
    .client({ name: "baton-tests" })
    .onNotification(hear.session.update, ({ params }) => heard(params.update))
    .onRequest(hear.session.requestPermission, ({ params }) => chosen(params.options))
    .onRequest(hear.elicitation.create, () => ({ action: "accept", content: step.form }))
    .onRequest(hear.fs.readTextFile, async ({ params }) => ({ content: await readFile(params.path, "utf8") }))
    .onRequest(hear.fs.writeTextFile, async ({ params }) => (await writeFile(params.path, params.content), {}))
    .connect(stream);
}

function heard(update) {
  updates.push(update);
  if (isCue(update) && step.onCue) {
    const act = step.onCue;
    step.onCue = null;
    act();
  }
}

// What a step that cancels waits for: the first word, or the beginning of a compression.
function isCue(update) {
  if (step.cancel === "compression") return update.sessionUpdate === "compaction_update";
  return update.sessionUpdate === "agent_message_chunk";
}

function chosen(options) {
  const option = options.find((each) => each.kind === step.choose);
  return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
}

async function close() {
  const gone = new Promise((done) => agent.once("exit", done));
  connection.close();
  agent.stdin.end();
  await gone;
  return {};
}

function prompt({ session, text, cancel }) {
  const stop = new AbortController();
  const cancelled = () => connection.agent.notify(call.session.cancel, { sessionId: session });
  if (cancel) step.onCue = cancel === "request" ? () => stop.abort() : cancelled;
  const params = { sessionId: session, prompt: [{ type: "text", text }] };
  return connection.agent.request(call.session.prompt, params, { cancellationSignal: stop.signal });
}

const place = ({ session, cwd }) => ({ sessionId: session, cwd, mcpServers: [] });
const ACTS = {
  open: () => (open(), connection.agent.request(call.initialize, { protocolVersion: 1, clientCapabilities: CAPABILITIES })),
  new: ({ cwd }) => connection.agent.request(call.session.new, { cwd, mcpServers: [] }),
  load: (given) => connection.agent.request(call.session.load, place(given)),
  resume: (given) => connection.agent.request(call.session.resume, place(given)),
  list: ({ cwd }) => connection.agent.request(call.session.list, { cwd }),
  delete: ({ session }) => connection.agent.request(call.session.delete, { sessionId: session }),
  prompt,
  close,
};

for await (const line of createInterface({ input: process.stdin })) {
  step = JSON.parse(line);
  let answer;
  try {
    answer = { result: await ACTS[step.do](step) };
  } catch (error) {
    answer = { error: { code: error.code ?? null, message: String(error.message ?? error) } };
  }
  process.stdout.write(JSON.stringify({ ...answer, updates: updates.splice(0) }) + "\n");
}
process.exit(0);
