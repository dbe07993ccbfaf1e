import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { must } from './must.ts'
import { folderOf } from './street.ts'

/** The system's output when it has started. */
export const GREETING = 'Hello from a tiny system'

/**
 * A program for UEFI: prints a greeting, echoes every key, and powers off when the button is pressed.
 */
const PROGRAM = Buffer.from(
  [
    '534883ec304889d3', // keeps the system table in rbx
    '488d155f000000e84a000000', // says the greeting that follows the program
    '66ba020666b8000166ef', // has the power button noted: out 0x602, 0x100
    '488b4b30488d542428ff5108', // again: asks the console for a key
    '4885c0750f', // none: looks at the power button
    '8364242c00488d54242ae820000000', // says the key
    '66ba000666edf6c4017503', // whether the power button was pressed: in 0x600
    'f4ebd2', // sleeps until the next interrupt, then again
    '488b43586a025931d24531c04531c9ff5068', // powers off
    '488b4b404883ec28ff51084883c428c3', // writes the text at rdx on every console
  ].join(''),
  'hex',
)
const DISK_BYTES = 2 * 1024 * 1024

/** A disk that UEFI boots automatically, like a USB stick. */
export async function tinySystem(): Promise<Buffer> {
  const folder = await folderOf('system')
  try {
    const [disk, program] = [path.join(folder, 'disk'), path.join(folder, 'program')]
    await writeFile(disk, Buffer.alloc(DISK_BYTES))
    await writeFile(program, asExecutable(PROGRAM, `${GREETING}\r\n`))
    await must('mformat', '-i', disk, '::')
    await must('mmd', '-i', disk, '::/EFI', '::/EFI/BOOT')
    await must('mcopy', '-i', disk, program, '::/EFI/BOOT/BOOTX64.EFI')
    return await readFile(disk)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The PE32+ header that UEFI requires, which loads the whole program at one address. */
function asExecutable(program: Buffer, text: string): Buffer {
  const headBytes = 0x200
  const code = Buffer.concat([program, Buffer.from(`${text}\0`, 'utf16le')])
  const file = Buffer.alloc(headBytes + Math.ceil(code.length / 0x200) * 0x200)
  code.copy(file, headBytes)
  const signature = 0x40
  file.write('MZ', 0, 'latin1')
  file.writeUInt32LE(signature, 0x3c)
  file.write('PE', signature, 'latin1')
  const coff = signature + 4
  file.writeUInt16LE(0x8664, coff)
  file.writeUInt16LE(1, coff + 2) // sections
  file.writeUInt16LE(0xf0, coff + 16) // bytes of what follows up to the sections
  file.writeUInt16LE(0x0022, coff + 18) // executable, beyond 2 GiB too
  const optional = coff + 20
  file.writeUInt16LE(0x20b, optional)
  file.writeUInt32LE(file.length - headBytes, optional + 4)
  file.writeUInt32LE(headBytes, optional + 16) // entry
  file.writeUInt32LE(headBytes, optional + 20)
  file.writeUInt32LE(0x200, optional + 32) // section alignment
  file.writeUInt32LE(0x200, optional + 36) // file alignment
  file.writeUInt32LE(file.length, optional + 56)
  file.writeUInt32LE(headBytes, optional + 60)
  file.writeUInt16LE(10, optional + 68) // an application for UEFI
  file.writeUInt32LE(16, optional + 108) // data directories, all empty
  const section = optional + 0xf0
  file.write('.text', section, 'latin1')
  file.writeUInt32LE(file.length - headBytes, section + 8)
  file.writeUInt32LE(headBytes, section + 12)
  file.writeUInt32LE(file.length - headBytes, section + 16)
  file.writeUInt32LE(headBytes, section + 20)
  file.writeUInt32LE(0xe0000020, section + 36) // code; read, written and executed
  return file
}
