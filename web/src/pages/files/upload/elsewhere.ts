import { useEffect, useState } from 'react'

// The tabs of a browser share the list of unfinished uploads, and ask each other which are in
// progress.

interface Question {
  readonly serverId: string
}
interface Answer extends Question {
  readonly paths: readonly string[]
}

const ASK_MS = 2_000
/** Other tabs answer within this time. */
const HEARD_MS = 250

const channel = new BroadcastChannel('lodge-uploads')

/** Answers other tabs. @param open paths of this tab's unfinished uploads to a server */
export function answerOthers(open: (serverId: string) => readonly string[]): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Question | Answer>) => {
    if ('paths' in data) return
    const { serverId } = data
    const paths = open(serverId)
    if (paths.length > 0) channel.postMessage({ serverId, paths } satisfies Answer)
  })
}

/** Paths that other tabs are uploading to; undefined before they were asked. */
export function useUploadedElsewhere(serverId: string): ReadonlySet<string> | undefined {
  const [paths, setPaths] = useState<ReadonlySet<string>>()
  useEffect(() => {
    let heard = new Set<string>()
    let settled: ReturnType<typeof setTimeout> | undefined
    const listen = ({ data }: MessageEvent<Question | Answer>): void => {
      if ('paths' in data && data.serverId === serverId)
        for (const path of data.paths) heard.add(path)
    }
    const ask = (): void => {
      heard = new Set()
      channel.postMessage({ serverId } satisfies Question)
      settled = setTimeout(() => setPaths(heard), HEARD_MS)
    }
    channel.addEventListener('message', listen)
    ask()
    const timer = setInterval(ask, ASK_MS)
    return () => {
      channel.removeEventListener('message', listen)
      clearInterval(timer)
      clearTimeout(settled)
    }
  }, [serverId])
  return paths
}
