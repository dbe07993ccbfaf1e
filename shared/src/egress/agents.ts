import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { checkedAddress, type EgressPolicy, only, trusting } from './egress.ts'

/**
 * Agents for a client library that opens its own connections to one endpoint. Each connection goes
 * to an address checked when it is opened, like every other request that leaves Lodge.
 * @throws EgressRefused when the endpoint is a literal address that is not allowed
 */
export async function egressAgents(
  endpoint: URL,
  { allowedHosts, authorities }: EgressPolicy,
  options: https.AgentOptions = {},
): Promise<{ readonly http: http.Agent; readonly https: https.Agent }> {
  // Node does not look up a literal address, so `lookup` would never see it.
  if (isIP(endpoint.hostname.replace(/^\[|\]$/g, ''))) await checkedAddress(endpoint, allowedHosts)
  const lookup: LookupFunction = (host, wanted, done) => {
    checkedAddress(endpoint, allowedHosts).then(
      (address) => only(address)(host, wanted, done),
      (error: Error) => done(error, ''),
    )
  }
  return {
    http: new http.Agent({ ...options, lookup }),
    https: new https.Agent({ ...options, lookup, ...trusting(authorities) }),
  }
}
