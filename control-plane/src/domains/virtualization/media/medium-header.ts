import type { MEDIUM_KINDS } from '@lodge/shared/machine-spec.ts'

/** Bytes needed to identify a file's format. */
export const HEADER_BYTES = 34_816
const MIB = 1_048_576

export type MediumVerdict =
  | { readonly fit: true; readonly virtualSizeMb: number | null }
  | { readonly fit: false; readonly why: string }

const no = (why: string): MediumVerdict => ({ fit: false, why })
const ISO_AT = 32_769
const DATA_FILE = 4n

/** Formats that QEMU would detect and open differently from what was registered. */
const FOREIGN: readonly (readonly [string, string])[] = [
  ['QFI\u00fb', 'qcow2'],
  ['KDMV', 'VMDK'],
  ['vhdxfile', 'VHDX'],
  ['conectix', 'VHD'],
  ['<<< ', 'VDI'],
  ['LUKS', 'LUKS'],
]

/**
 * Checks a medium by its first bytes. An image that refers to another file is always refused: it
 * would expose files of the node to guests (qcow2 specification, header fields backing_file_offset
 * and incompatible_features; ECMA-119 section 8).
 */
export function judgeMedium(
  kind: (typeof MEDIUM_KINDS)[number],
  header: Buffer,
  sizeBytes: number,
): MediumVerdict {
  if (kind === 'iso') {
    return header.toString('latin1', ISO_AT, ISO_AT + 5) === 'CD001'
      ? { fit: true, virtualSizeMb: null }
      : no('it is not an ISO 9660 image')
  }
  if (kind === 'qcow2') return judgeQcow2(header)
  const foreign = FOREIGN.find(([magic]) => header.toString('latin1', 0, magic.length) === magic)
  if (foreign) return no(`it is a ${foreign[1]} image, not a raw one`)
  if (sizeBytes % 512 !== 0) return no('its size is no multiple of 512 bytes')
  return { fit: true, virtualSizeMb: Math.ceil(sizeBytes / MIB) }
}

function judgeQcow2(header: Buffer): MediumVerdict {
  if (header.length < 104 || header.readUInt32BE(0) !== 0x514649fb) return no('it is not qcow2')
  const version = header.readUInt32BE(4)
  if (version !== 2 && version !== 3) return no(`it is qcow2 of version ${version}`)
  if (header.readBigUInt64BE(8) !== 0n) return no('it names a backing file')
  if (header.readUInt32BE(32) !== 0) return no('it is encrypted')
  if (version === 3 && (header.readBigUInt64BE(72) & DATA_FILE) !== 0n)
    return no('it keeps its data in another file')
  const virtualSizeMb = Math.ceil(Number(header.readBigUInt64BE(24)) / MIB)
  if (virtualSizeMb < 1 || virtualSizeMb > 1_073_741_824) return no('its virtual size is not sane')
  return { fit: true, virtualSizeMb }
}
