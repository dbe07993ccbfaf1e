import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import { findProgram } from './find-program.ts'

/** Can images be made on this machine when no registry can be reached? */
export async function checkImages(): Promise<PreflightCheck> {
  const builder = await findProgram('mmdebstrap')
  if (builder) {
    return { id: 'images', state: 'ok', summary: 'Debian images can be built here', remedy: null }
  }
  return {
    id: 'images',
    state: 'warning',
    summary: 'Debian images cannot be built here; images of registries can be used',
    remedy: 'Install mmdebstrap (apt-get install mmdebstrap)',
  }
}
