import koffi from 'koffi'
import { ErrorRecord, type Pointer, StatsRecord, TypedParameter } from './bindings.ts'
import type { Fault } from './fault.ts'

/** Reads libvirt's structs from memory. Used only in the child process. */

/** One statistic of a domain; 64-bit integers stay exact. */
export type StatsValue = number | bigint | boolean | string

/** Decodes a `virErrorPtr`. */
export function readFault(at: Pointer): Fault {
  const { code, domain, message } = koffi.decode(at, ErrorRecord)
  return { code, domain, message: message ?? `libvirt failed with code ${code}` }
}

/** Decodes an array of pointers. */
export function readPointers(at: Pointer, count: number): readonly Pointer[] {
  return count === 0 ? [] : koffi.decode(at, koffi.array('void *', count))
}

export interface StatsAt {
  readonly dom: Pointer
  readonly values: Readonly<Record<string, StatsValue>>
}

/** Decodes a `virDomainStatsRecordPtr` with its parameters. */
export function readStats(at: Pointer): StatsAt {
  const { dom, params, nparams } = koffi.decode(at, StatsRecord)
  return { dom, values: readParameters(params, nparams) }
}

/** Decodes an array of `virTypedParameter`s. */
export function readParameters(at: Pointer, count: number): Readonly<Record<string, StatsValue>> {
  const values: Record<string, StatsValue> = {}
  if (count === 0) return values
  const parameters: { field: string; type: number; value: Uint8Array }[] = koffi.decode(
    at,
    koffi.array(TypedParameter, count),
  )
  for (const { field, type, value } of parameters) {
    const read = readValue(type, Buffer.from(value))
    if (read !== undefined) values[field] = read
  }
  return values
}

/** Values of `virTypedParameterType`. */
function readValue(type: number, bytes: Buffer): StatsValue | undefined {
  switch (type) {
    case 1:
      return bytes.readInt32LE()
    case 2:
      return bytes.readUInt32LE()
    case 3:
      return bytes.readBigInt64LE()
    case 4:
      return bytes.readBigUInt64LE()
    case 5:
      return bytes.readDoubleLE()
    case 6:
      return bytes[0] !== 0
    case 7: {
      const text = bytes.readBigUInt64LE()
      // Not as 'str', which would dereference twice.
      return text === 0n ? '' : koffi.decode(text, 'char', -1)
    }
    default:
      return undefined
  }
}

const PARAMETER_BYTES = 96
const TYPE_AT = 80
const VALUE_AT = 88

/** Encodes `virTypedParameter`s: names of at most 79 characters and 64-bit integers. */
export function writeParameters(
  values: Readonly<Record<string, number>>,
  type: 'signed' | 'unsigned',
): Buffer {
  const entries = Object.entries(values)
  const bytes = Buffer.alloc(entries.length * PARAMETER_BYTES)
  for (const [index, [name, value]] of entries.entries()) {
    const at = index * PARAMETER_BYTES
    bytes.write(name, at, TYPE_AT - 1, 'latin1')
    bytes.writeInt32LE(type === 'signed' ? 3 : 4, at + TYPE_AT)
    bytes.writeBigInt64LE(BigInt(value), at + VALUE_AT)
  }
  return bytes
}
