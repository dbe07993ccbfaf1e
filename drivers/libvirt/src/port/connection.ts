import {
  connectionError,
  domainUuid,
  freeDomain,
  freeFilter,
  freeNetwork,
  lookUpDomain,
  lookUpFilter,
  lookUpNetwork,
  type Pointer,
  resetConnectionError,
} from './bindings.ts'
import { LibvirtError } from './fault.ts'
import { readFault } from './memory.ts'

/**
 * One connection, used by one call at a time: only then does its last error belong to that call.
 */
export interface Connection {
  readonly at: Pointer
}

/** The error of the last call on this connection, which must have failed. */
export function failure(connection: Connection): LibvirtError {
  const at = connectionError(connection.at)
  if (at === null)
    return new LibvirtError({ code: 1, domain: 0, message: 'libvirt gave no reason' })
  const fault = readFault(at)
  resetConnectionError(connection.at)
  return new LibvirtError(fault)
}

/** Awaits a call that reports failure with a negative number. */
export async function checked(connection: Connection, call: Promise<number>): Promise<number> {
  const result = await call
  if (result < 0) throw failure(connection)
  return result
}

/** Awaits a call that reports failure with NULL. */
export async function present<T>(connection: Connection, call: Promise<T | null>): Promise<T> {
  const result = await call
  if (result === null) throw failure(connection)
  return result
}

/** Objects belong to their connection, so they are looked up for each use and freed after it. */
export async function withDomain<T>(
  connection: Connection,
  uuid: string,
  use: (domain: Pointer) => Promise<T>,
): Promise<T> {
  const domain = await present(connection, lookUpDomain(connection.at, uuid))
  try {
    return await use(domain)
  } finally {
    freeDomain(domain)
  }
}

/** Like `withDomain`, for a network by name. */
export async function withNetwork<T>(
  connection: Connection,
  name: string,
  use: (network: Pointer) => Promise<T>,
): Promise<T> {
  const network = await present(connection, lookUpNetwork(connection.at, name))
  try {
    return await use(network)
  } finally {
    freeNetwork(network)
  }
}

/** Like `withDomain`, for a network filter by name. */
export async function withFilter<T>(
  connection: Connection,
  name: string,
  use: (filter: Pointer) => Promise<T>,
): Promise<T> {
  const filter = await present(connection, lookUpFilter(connection.at, name))
  try {
    return await use(filter)
  } finally {
    freeFilter(filter)
  }
}

/** The UUID of a domain as lower-case text. */
export function uuidOf(domain: Pointer): string {
  const text = Buffer.alloc(37)
  domainUuid(domain, text)
  return text.toString('latin1', 0, 36)
}
