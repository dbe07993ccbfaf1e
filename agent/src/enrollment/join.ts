import { createHash, X509Certificate } from 'node:crypto'
import { request } from 'node:https'
import { hostname } from 'node:os'
import tls from 'node:tls'
import { AGENT_VERSION } from '../version.ts'
import { Identity } from './identity.ts'
import { type JoinToken, readJoinToken } from './join-token.ts'

/** The name in the fleet's certificate, which carries no public one. */
export const SERVER_NAME = 'lodge'
const TIMEOUT_MS = 20_000

/**
 * Exchanges a join token for the node's identity. Nothing is sent before the server's chain is
 * proven to contain the authority that the token pins.
 * @throws Error with a message for the person at the terminal
 */
export async function join(text: string): Promise<Identity> {
  const token = readJoinToken(text)
  const authority = await findAuthority(token)
  const answer = await post(token, authority)
  const identity = Identity.safeParse(answer)
  if (!identity.success)
    throw new Error('The control plane gave an answer that this agent does not understand')
  if (fingerprintOf(new X509Certificate(identity.data.caCertificate)) !== token.fingerprint) {
    throw new Error('The control plane named another certificate authority than the token does')
  }
  return identity.data
}

function fingerprintOf(certificate: X509Certificate): string {
  return createHash('sha256').update(certificate.raw).digest('hex')
}

/** Fetches the certificate chain and returns the authority whose fingerprint matches the token. */
function findAuthority(token: JoinToken): Promise<string> {
  return new Promise((resolve, reject) => {
    // Deliberately unverified: this connection only fetches the chain, sends nothing, and the chain
    // is checked against the pinned fingerprint below.
    const socket = tls.connect({
      host: bare(token.url.hostname),
      port: Number(token.url.port || 443),
      servername: SERVER_NAME,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
      timeout: TIMEOUT_MS,
    })
    const end = (finish: () => void) => {
      socket.destroy()
      finish()
    }
    socket.once('error', (error) => end(() => reject(unreachable(token, error))))
    socket.once('timeout', () => end(() => reject(unreachable(token, new Error('no answer')))))
    socket.once('secureConnect', () => {
      for (const certificate of chain(socket)) {
        if (fingerprintOf(certificate) !== token.fingerprint || !certificate.ca) continue
        return end(() => resolve(certificate.toString()))
      }
      end(() =>
        reject(
          new Error(
            'The server at this address does not have the certificate that the token names. ' +
              'Somebody may be listening in, or the token is from another installation',
          ),
        ),
      )
    })
  })
}

function chain(socket: tls.TLSSocket): X509Certificate[] {
  const found: X509Certificate[] = []
  let current = socket.getPeerX509Certificate()
  while (current && !found.some((known) => known.fingerprint256 === current?.fingerprint256)) {
    found.push(current)
    current = current.issuerCertificate
  }
  return found
}

function post(token: JoinToken, authority: string): Promise<unknown> {
  const body = JSON.stringify({
    token: token.oneTimeToken,
    agentVersion: AGENT_VERSION,
    hostname: hostname(),
  })
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: bare(token.url.hostname),
        port: token.url.port || 443,
        path: '/api/agent/enroll',
        method: 'POST',
        ca: authority,
        servername: SERVER_NAME,
        timeout: TIMEOUT_MS,
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8')
          const answer = parse(text)
          if (response.statusCode === 200 || response.statusCode === 201) resolve(answer)
          else reject(new Error(refusal(response.statusCode ?? 0, answer)))
        })
      },
    )
    call.on('timeout', () => call.destroy(new Error('no answer')))
    call.on('error', (error) => reject(unreachable(token, error)))
    call.end(body)
  })
}

function refusal(status: number, answer: unknown): string {
  if (
    answer &&
    typeof answer === 'object' &&
    'detail' in answer &&
    typeof answer.detail === 'string'
  ) {
    return answer.detail
  }
  return `The control plane refused to let this node join (${status}): make a new token in the panel`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const unreachable = (token: JoinToken, cause: Error) =>
  new Error(`The control plane at ${token.url.host} cannot be reached: ${cause.message}`, { cause })

/** Strips the brackets that an IPv6 address has in a URL. */
const bare = (host: string) => host.replace(/^\[|\]$/g, '')
