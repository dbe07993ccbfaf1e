import type { Host, Plugin } from '../sdk/index.ts'

interface Task {
  readonly id: number
  readonly text: string
  readonly done: boolean
}

const MOST_TASKS = 100
const MOST_CHARACTERS = 200

/** A field of an untrusted value. */
const fieldOf = (given: unknown, name: string): unknown =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, name)
    ? (given as Readonly<Record<string, unknown>>)[name]
    : undefined

/** The list of tasks after a change. */
function changed(
  { refusal }: Host,
  tasks: readonly Task[],
  method: string,
  given: unknown,
): readonly Task[] {
  if (method === 'add') {
    const text = String(fieldOf(given, 'text') ?? '').trim()
    if (text === '') throw refusal('empty', 'Say what there is to do')
    if (text.length > MOST_CHARACTERS)
      throw refusal('too_long', `A task has at most ${MOST_CHARACTERS} characters`)
    if (tasks.length >= MOST_TASKS)
      throw refusal('too_many', `A server has at most ${MOST_TASKS} tasks`)
    const id = Math.max(0, ...tasks.map((task) => task.id)) + 1
    return [...tasks, { id, text, done: false }]
  }
  const id = fieldOf(given, 'id')
  if (method === 'remove') return tasks.filter((task) => task.id !== id)
  if (method !== 'mark') throw refusal('unknown', `There is no ${method}`)
  const done = fieldOf(given, 'done') === true
  return tasks.map((task) => (task.id === id ? { ...task, done } : task))
}

/** Tasks of servers, kept under the id of each. */
const plugin: Plugin = (host) => {
  /** Serialized, because concurrent changes would undo each other. */
  let turn: Promise<unknown> = Promise.resolve()
  const read = async (key: string): Promise<readonly Task[]> =>
    JSON.parse((await host.storage.get(key)) ?? '[]')

  async function change(key: string, method: string, payload: unknown): Promise<readonly Task[]> {
    const tasks = changed(host, await read(key), method, payload)
    if (tasks.length === 0) await host.storage.delete(key)
    else await host.storage.set(key, JSON.stringify(tasks))
    return tasks
  }

  return {
    health: () => ({ ok: true, message: 'Ready' }),
    page: {
      async request({ method, payload, server }) {
        if (!server) throw host.refusal('no_server', 'Tasks are those of a server')
        const key = `server:${server.id}`
        // People who may only view a server may only view its tasks.
        const mayChange = server.permissions.some((one) => !/\.(view|read)$/.test(one))
        if (method === 'list') return { answer: { tasks: await read(key), mayChange } }
        if (!mayChange) throw host.refusal('not_allowed', 'You may only look at this server')
        const done = turn.then(() => change(key, method, payload))
        turn = done.catch(() => undefined)
        return { answer: { tasks: await done, mayChange } }
      },
    },
  }
}
export default plugin
