import { call, type EgressReply } from '@lodge/shared/egress/egress.ts'
import { z } from 'zod'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'

/** GitHub, or a GitHub Enterprise server, which has its API on the same host. */
const GITHUB = 'https://github.com'
const apiOf = (service: string): string =>
  service === GITHUB ? 'https://api.github.com' : `${service}/api/v3`

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 65_536

export type Host = Pick<Services, 'egress' | 'codeHost'>

async function ask(
  { egress, codeHost }: Host,
  address: string,
  body: object | undefined,
  token?: string,
): Promise<EgressReply> {
  return await call(address, {
    method: body ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'Lodge',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // An operator who names a server in their own network wants it to be reached.
    allowedHosts: codeHost === GITHUB ? [] : [new URL(codeHost).host],
    authorities: egress.authorities,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  })
}

/** @throws {Problem} `usage_service_failed` unless the response has this schema */
function parsed<T>(schema: z.ZodType<T>, { status, text }: EgressReply): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new Problem('usage_service_failed', `It answered ${status} with something else`, {
      cause: error,
    })
  }
}

/** @throws {Problem} `usage_service_failed` when it cannot be reached */
async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(
      'usage_service_failed',
      `It could not be reached: ${(error as Error).message}. Try again later`,
      { cause: error },
    )
  }
}

const DeviceCode = z.object({
  device_code: z.string().min(1).max(500),
  user_code: z.string().min(1).max(50),
  verification_uri: z.url({ protocol: /^https?$/ }).max(500),
  expires_in: z.number().int().min(60).max(3600).default(900),
  interval: z.number().int().min(1).max(120).default(5),
})

/** Begins a device authorization, RFC 8628 3.1. */
export const beginDevice = (host: Host, clientId: string) =>
  reached(async () =>
    parsed(
      DeviceCode,
      await ask(host, `${host.codeHost}/login/device/code`, { client_id: clientId }),
    ),
  )

const TokenAnswer = z.union([
  z.object({ access_token: z.string().min(1).max(1000) }),
  z.object({ error: z.string().max(100), interval: z.number().int().max(600).optional() }),
])

/** Checks once whether the person has entered the code, RFC 8628 3.4 and 3.5. */
export const askForToken = (host: Host, clientId: string, deviceCode: string) =>
  reached(async () =>
    parsed(
      TokenAnswer,
      await ask(host, `${host.codeHost}/login/oauth/access_token`, {
        client_id: clientId,
        device_code: deviceCode,
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      }),
    ),
  )

const Account = z.object({ login: z.string().min(1).max(100) })

/** The public name of the connected account. */
export const nameOf = (host: Host, token: string) =>
  reached(
    async () =>
      parsed(Account, await ask(host, `${apiOf(host.codeHost)}/user`, undefined, token)).login,
  )

/** Posts a sealed report as an issue of the repository. @returns the status of the response */
export async function postReport(
  host: Host,
  token: string,
  repository: string,
  sealed: string,
): Promise<number> {
  const { status } = await ask(
    host,
    `${apiOf(host.codeHost)}/repos/${repository}/issues`,
    { title: 'Usage report', body: sealed },
    token,
  )
  return status
}
