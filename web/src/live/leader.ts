/**
 * Elects one tab of a browser: with the Web Locks API in a secure context, otherwise (plain HTTP)
 * with messages between the tabs.
 */

const ANSWER_MS = 250
const ASK_EVERY_MS = 2_000

type Said = { readonly kind: 'ask' | 'lead' | 'gone'; readonly from: string }

/**
 * Runs `work` while this tab is the leader, until `ended` is aborted. The signal passed to `work`
 * is aborted when the tab loses the lead.
 */
export function lead(name: string, ended: AbortSignal, work: (turn: AbortSignal) => void): void {
  // Undefined outside a secure context, despite its type.
  const locks: LockManager | undefined = navigator.locks
  if (locks === undefined) {
    leadByMessages(name, ended, work)
    return
  }
  const untilEnded = () =>
    new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve()))
  locks
    .request(name, { signal: ended }, () => {
      work(ended)
      return untilEnded()
    })
    .catch(() => undefined)
}

/**
 * The leader answers in its message handler, because browsers throttle timers in background tabs
 * but not messages. A tab that gets no answer leads. Of two leaders the one with the lower id
 * stays.
 */
function leadByMessages(name: string, ended: AbortSignal, work: (turn: AbortSignal) => void): void {
  const channel = new BroadcastChannel(`${name}.leader`)
  const self = Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join('-')
  let turn: AbortController | undefined
  let unanswered: ReturnType<typeof setTimeout> | undefined
  const say = (kind: Said['kind']) => channel.postMessage({ kind, from: self } satisfies Said)

  const take = (): void => {
    unanswered = undefined
    if (turn) return
    turn = new AbortController()
    say('lead')
    work(turn.signal)
  }
  const resign = (): void => {
    turn?.abort()
    turn = undefined
  }
  const ask = (): void => {
    if (turn || unanswered !== undefined) return
    say('ask')
    unanswered = setTimeout(take, ANSWER_MS)
  }
  const leave = (): void => {
    if (!turn) return
    resign()
    say('gone')
  }

  /** Another tab leads. */
  const heed = (from: string): void => {
    clearTimeout(unanswered)
    unanswered = undefined
    if (turn && from < self) resign()
    else if (turn) say('lead')
  }

  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind === 'lead') heed(data.from)
    else if (data.kind === 'gone') ask()
    else if (turn) say('lead')
  }
  const asking = setInterval(ask, ASK_EVERY_MS)
  addEventListener('pagehide', leave)
  ended.addEventListener('abort', () => {
    removeEventListener('pagehide', leave)
    clearInterval(asking)
    clearTimeout(unanswered)
    leave()
    channel.close()
  })
  ask()
}
