import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAuthority } from './authority.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lodge-authority-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('the authority is created once, kept private and loaded again', async () => {
  const first = await openAuthority(path.join(folder, 'fleet'))
  const second = await openAuthority(path.join(folder, 'fleet'))
  expect(second.fingerprint).toBe(first.fingerprint)
  expect(second.certificate).toBe(first.certificate)
  expect((await stat(path.join(folder, 'fleet/authority.pem'))).mode & 0o777).toBe(0o600)
  expect((await stat(path.join(folder, 'fleet'))).mode & 0o777).toBe(0o700)
  const der = new X509Certificate(first.certificate).raw
  expect(first.fingerprint).toBe(createHash('sha256').update(der).digest('hex'))
})

test('control planes that start at the same time agree on one authority', async () => {
  const opened = await Promise.all(Array.from({ length: 8 }, () => openAuthority(folder)))
  expect(new Set(opened.map((authority) => authority.fingerprint)).size).toBe(1)
  expect(await readdir(folder)).toEqual(['authority.pem'])
})

test('an issued certificate is signed by the authority, for the fleet name only, with a renewal time', async () => {
  const authority = await openAuthority(folder)
  const now = new Date()
  const leaf = await authority.issue(now, 90)
  const certificate = new X509Certificate(leaf.cert)
  const root = new X509Certificate(authority.certificate)
  expect(certificate.verify(root.publicKey)).toBe(true)
  expect(certificate.checkIssued(root)).toBe(true)
  expect(certificate.checkHost('lodge')).toBe('lodge')
  expect(certificate.checkHost('localhost')).toBe('localhost')
  expect(certificate.checkHost('example.org')).toBeUndefined()
  expect(certificate.ca).toBe(false)
  expect(root.ca).toBe(true)
  expect(leaf.cert).toContain(authority.certificate)
  expect(leaf.renewAt.getTime()).toBeLessThan(new Date(certificate.validTo).getTime())
  expect(leaf.renewAt.getTime()).toBeGreaterThan(now.getTime())
})

test('the certificate of the last start is reused until its renewal is due', async () => {
  const now = new Date()
  const first = await (await openAuthority(folder)).leaf(now, 90)
  const again = await openAuthority(folder)
  expect(await again.leaf(now, 90)).toEqual(first)
  expect((await stat(path.join(folder, 'leaf.pem'))).mode & 0o777).toBe(0o600)
  const renewed = await again.leaf(new Date(first.renewAt.getTime() + 1000), 90)
  expect(renewed.publicKeyPin).not.toBe(first.publicKeyPin)
  expect(renewed.renewAt.getTime()).toBeGreaterThan(first.renewAt.getTime())
  expect(await (await openAuthority(folder)).leaf(now, 90)).toEqual(renewed)
})

test('a stored certificate that is damaged or from another authority is replaced', async () => {
  const now = new Date()
  const first = await (await openAuthority(folder)).leaf(now, 90)
  await writeFile(path.join(folder, 'leaf.pem'), 'nothing of use')
  const second = await (await openAuthority(folder)).leaf(now, 90)
  expect(second.publicKeyPin).not.toBe(first.publicKeyPin)
  await rm(path.join(folder, 'authority.pem'))
  const other = await openAuthority(folder)
  const third = await other.leaf(now, 90)
  expect(third.publicKeyPin).not.toBe(second.publicKeyPin)
  const root = new X509Certificate(other.certificate)
  expect(new X509Certificate(third.cert).verify(root.publicKey)).toBe(true)
})

test('a damaged authority file is refused, not replaced by another authority', async () => {
  await writeFile(path.join(folder, 'authority.pem'), 'nothing of use')
  await expect(openAuthority(folder)).rejects.toThrow(/does not hold/)
})
