/** Calls the API as one person; throws on any response but a success. */
export interface ApiCaller {
  get(where: string): Promise<Answer>
  post(where: string, body: object): Promise<Answer>
  patch(where: string, body: object): Promise<Answer>
  remove(where: string): Promise<Answer>
  /** Waits for a job to succeed. */
  done(job: Answer): Promise<void>
}

type Answer = Readonly<Record<string, unknown>>

const LOOK_MS = 10
/** Long work is looked at less often, so that looking costs it nothing. */
const LOOKS = 50

export function apiCaller(origin: string, cookie: string): ApiCaller {
  const call = async (method: string, where: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${origin}${where}`, {
      method,
      headers: { cookie, origin, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new Error(`${method} ${where}: ${error.cause ?? error}`)
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${where} answered ${answer.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
  const get = (where: string) => call('GET', where)
  return {
    get,
    post: (where, body) => call('POST', where, body),
    patch: (where, body) => call('PATCH', where, body),
    remove: (where) => call('DELETE', where),
    async done({ jobId }) {
      const begunMs = performance.now()
      for (;;) {
        const { endedAt, state, title, failure } = await get(`/api/jobs/${jobId}`)
        if (endedAt !== null) {
          if (state === 'done') return
          throw new Error(`${title} ended as ${state}: ${JSON.stringify(failure)}`)
        }
        await new Promise((resolve) =>
          setTimeout(resolve, Math.max(LOOK_MS, (performance.now() - begunMs) / LOOKS)),
        )
      }
    },
  }
}
