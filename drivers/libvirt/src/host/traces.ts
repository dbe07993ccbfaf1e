import { readlink } from 'node:fs/promises'
import type { Trace } from '@lodge/driver/trace.ts'

/** As libvirt starts QEMU for a machine, and swtpm for its TPM; see `orphans.ts`. */
export async function machineTraces(
  uuid: string,
  networkNamespace: string | undefined,
): Promise<readonly Trace[]> {
  const where = {
    kind: 'program',
    networkNamespace: await readlink(networkNamespace ?? '/proc/self/ns/net'),
  } as const
  return [
    { ...where, names: ['qemu-', 'kvm'], line: `\0-uuid\0${uuid}\0` },
    { ...where, names: ['swtpm'], line: `/${uuid}/tpm2` },
  ]
}
