import { createHash } from 'node:crypto'
import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import { picture, uploadOf } from '../../../support/pictures.ts'
import type { SetUp, SetUps } from './set-up.ts'

/** A look with a logo of its own, at the addresses in the paths. */
const withMark: SetUp = async ({ ground }) => {
  const bytes = await picture()
  const sha = createHash('sha256').update(bytes).digest('hex')
  const { pool } = ground.lodge.database
  await pool.query(
    `insert into branding_images (kind, sha, type, width, height, bytes)
     values ('mark', $1, 'image/png', 64, 64, $2) on conflict do nothing`,
    [sha, bytes],
  )
  await pool.query(
    `insert into branding_versions (revision, id, document, author, reason)
     select coalesce(max(revision), 0) + 1, gen_random_uuid(), $1, 'root', '' from branding_versions`,
    [{ ...DEFAULT_BRANDING, images: { ...DEFAULT_BRANDING.images, mark: sha } }],
  )
  return {
    params: { kind: 'mark', sha, revision: '1' },
    after: async () => void (await pool.query('delete from branding_versions')),
  }
}

export const brandingSetUps: SetUps = {
  'GET /api/branding/assets/{kind}': withMark,
  'GET /api/branding/blobs/{kind}/{sha}': withMark,
  'POST /api/branding/assets': async () =>
    uploadOf([
      ['kind', 'mark'],
      ['file', await picture()],
    ]),
}
