import { randomInt } from 'node:crypto'
import type { Lodge } from '../../support/stack.ts'

/** An address of the network for tests (RFC 2544): few reports are accepted from each. */
const someAddress = () => `198.18.${randomInt(256)}.${randomInt(256)}`

/** The token of a link under which a person follows a report. */
export async function reportLinkOf(lodge: Lodge): Promise<string> {
  const { statusUrl } = await lodge
    .anonymous({ address: someAddress() })
    .must('POST /api/support/abuse', {
      body: {
        ...{ type: 'other', target: '192.0.2.1:80' },
        description: 'Something that a server of yours does.',
      },
    })
  return tokenOf(statusUrl)
}

export const tokenOf = (statusUrl: string): string =>
  new URLSearchParams(new URL(statusUrl).hash.slice(1)).get('token') ?? ''
