import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** A self-signed certificate for one name, and its key. */
export async function selfSigned(name: string): Promise<{ certificate: string; key: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-certificate-'))
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-days', '30', '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
    ...['-keyout', key, '-out', certificate],
  ])
  const made = {
    certificate: await readFile(certificate, 'utf8'),
    key: await readFile(key, 'utf8'),
  }
  await rm(folder, { recursive: true })
  return made
}
