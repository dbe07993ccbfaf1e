import {
  type SftpReport,
  type SftpSignIn,
  SftpStanding,
  type SftpStandings,
  SftpVerdict,
} from '@lodge/shared/sftp-nodes.ts'
import { z } from 'zod'
import { askJson, keepingAgent } from '../boot/get-json.ts'
import type { Identity } from '../enrollment/identity.ts'

const TIMEOUT_MS = 4_000
/** Limit of an answer: many path rules for each connection that one question is about. */
const MOST_BYTES = 4 * 1024 * 1024
const Standings = z.object({ items: z.array(SftpStanding) })

type Asked = SftpStandings['connections'][number]

/** What the control plane decides about SFTP on this node. Every question may throw an Error. */
export interface SftpJudge {
  signIn(question: SftpSignIn): Promise<z.infer<typeof SftpVerdict>>
  /** What became of these connections, at most `MOST_STANDINGS`, in order. */
  standings(connections: readonly Asked[]): Promise<SftpStanding[]>
  report(report: SftpReport): Promise<void>
  close(): void
}

export function sftpJudge(identity: Identity): SftpJudge {
  const agent = keepingAgent()
  async function ask(method: 'POST' | 'PUT', path: string, body: unknown): Promise<unknown> {
    const timeoutMs = TIMEOUT_MS
    const question = { method, path, body, timeoutMs, agent, mostBytes: MOST_BYTES }
    const answer = await askJson(identity, question)
    if (answer.status >= 200 && answer.status < 300) return answer.body
    throw new Error(`the control plane answered ${answer.status}`)
  }
  return {
    signIn: async (question) =>
      SftpVerdict.parse(await ask('POST', '/api/agent/sftp/sign-ins', question)),
    async standings(connections) {
      const body = { connections }
      const { items } = Standings.parse(await ask('POST', '/api/agent/sftp/standings', body))
      if (items.length !== connections.length) throw new Error('the answer is about others')
      return items
    },
    async report(report) {
      await ask('PUT', '/api/agent/sftp', report)
    },
    close: () => agent.destroy(),
  }
}
