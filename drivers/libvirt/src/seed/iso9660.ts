/**
 * Writes a small ISO 9660 image (ECMA-119) with files in its root directory only. Names are stored
 * in upper case as the standard requires; systems show them in lower case.
 */
const SECTOR = 2048
const DESCRIPTOR = 16
const PATH_TABLE = 18
const PATH_TABLE_BIG_ENDIAN = 19
const ROOT = 20
const FIRST_FILE = 21
/** Some readers reject images shorter than a second of audio. */
const FEWEST_SECTORS = 192

/** Builds an image; `label` in upper case. Throws when the names need more than one sector. */
export function isoImage(label: string, files: Readonly<Record<string, string>>): Buffer {
  const now = new Date()
  let next = FIRST_FILE
  const entries = Object.entries(files)
    .map(([name, text]) => ({ name: `${name.toUpperCase()};1`, bytes: Buffer.from(text) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const place = next
      next += Math.max(1, Math.ceil(entry.bytes.length / SECTOR))
      return { ...entry, place }
    })
  const image = Buffer.alloc(Math.max(next, FEWEST_SECTORS) * SECTOR)
  const directory = Buffer.concat([
    directoryRecord('\0', ROOT, SECTOR, true, now),
    directoryRecord('\x01', ROOT, SECTOR, true, now),
    ...entries.map(({ name, place, bytes }) =>
      directoryRecord(name, place, bytes.length, false, now),
    ),
  ])
  if (directory.length > SECTOR) throw new RangeError('too many files for a seed')
  directory.copy(image, ROOT * SECTOR)
  for (const { place, bytes } of entries) bytes.copy(image, place * SECTOR)
  writePathTables(image)
  writeDescriptors(image, label, now)
  return image
}

/** ECMA-119, 9.1. */
function directoryRecord(
  name: string,
  place: number,
  size: number,
  isFolder: boolean,
  at: Date,
): Buffer {
  const id = Buffer.from(name, 'latin1')
  const record = Buffer.alloc(33 + id.length + ((id.length + 1) % 2))
  record[0] = record.length
  both32(record, 2, place)
  both32(record, 10, size)
  record.set(
    [
      at.getUTCFullYear() - 1900,
      at.getUTCMonth() + 1,
      at.getUTCDate(),
      at.getUTCHours(),
      at.getUTCMinutes(),
      at.getUTCSeconds(),
    ],
    18,
  )
  record[25] = isFolder ? 2 : 0
  both16(record, 28, 1)
  record[32] = id.length
  id.copy(record, 33)
  return record
}

/** ECMA-119, 9.4: one directory, the root, once in each byte order. */
function writePathTables(image: Buffer): void {
  const [little, big] = [PATH_TABLE * SECTOR, PATH_TABLE_BIG_ENDIAN * SECTOR]
  image[little] = 1
  image.writeUInt32LE(ROOT, little + 2)
  image.writeUInt16LE(1, little + 6)
  image[big] = 1
  image.writeUInt32BE(ROOT, big + 2)
  image.writeUInt16BE(1, big + 6)
}

/** ECMA-119, 8.4 and 8.3: the primary descriptor and the terminator. */
function writeDescriptors(image: Buffer, label: string, at: Date): void {
  const primary = image.subarray(DESCRIPTOR * SECTOR, (DESCRIPTOR + 1) * SECTOR)
  const text = (offset: number, length: number, value = '') =>
    primary.write(value.slice(0, length).padEnd(length), offset, 'latin1')
  primary[0] = 1
  text(1, 5, 'CD001')
  primary[6] = 1
  text(8, 32)
  text(40, 32, label)
  both32(primary, 80, image.length / SECTOR)
  both16(primary, 120, 1)
  both16(primary, 124, 1)
  both16(primary, 128, SECTOR)
  both32(primary, 132, 10)
  primary.writeUInt32LE(PATH_TABLE, 140)
  primary.writeUInt32BE(PATH_TABLE_BIG_ENDIAN, 148)
  directoryRecord('\0', ROOT, SECTOR, true, at).copy(primary, 156)
  for (const [offset, length] of [
    [190, 128],
    [318, 128],
    [446, 128],
    [574, 128],
    [702, 37],
    [739, 37],
    [776, 37],
  ] as const)
    text(offset, length)
  const stamp = at.toISOString().replaceAll(/\D/g, '').slice(0, 16)
  for (const offset of [813, 830]) text(offset, 16, stamp)
  for (const offset of [847, 864]) text(offset, 16, '0'.repeat(16))
  primary[881] = 1
  const end = image.subarray((DESCRIPTOR + 1) * SECTOR)
  end[0] = 255
  end.write('CD001', 1, 'latin1')
  end[6] = 1
}

function both16(into: Buffer, offset: number, value: number): void {
  into.writeUInt16LE(value, offset)
  into.writeUInt16BE(value, offset + 2)
}

function both32(into: Buffer, offset: number, value: number): void {
  into.writeUInt32LE(value, offset)
  into.writeUInt32BE(value, offset + 4)
}
