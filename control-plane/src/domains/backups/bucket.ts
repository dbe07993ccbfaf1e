import type { BucketView, EditBucket, StoredBucket } from '@lodge/shared/bucket.ts'
import { invalid } from '../../http/input.ts'
import type { Place, Vault } from '../../secrets/vault.ts'

export function describeBucket(stored: StoredBucket | null): BucketView | null {
  if (!stored) return null
  const { secretAccessKey: _, ...shown } = stored
  return { ...shown, hasSecretAccessKey: true }
}

/**
 * The bucket to store, with the given secret key, or the present one if none is given.
 * @throws {Problem} validation_failed if the bucket changes without its secret key, which is never
 * sent to another bucket than it was entered for
 */
export function sealedBucket(
  vault: Vault,
  place: Place,
  wanted: EditBucket | null,
  present: StoredBucket | null,
): StoredBucket | null {
  return wanted && { ...wanted, secretAccessKey: sealedSecretKey(vault, place, wanted, present) }
}

function sealedSecretKey(
  vault: Vault,
  place: Place,
  wanted: EditBucket,
  present: StoredBucket | null,
): string {
  if (wanted.secretAccessKey !== undefined)
    return vault.seal(wanted.secretAccessKey, place).toString('base64')
  const same =
    present !== null &&
    (['endpoint', 'bucket', 'accessKeyId'] as const).every((key) => present[key] === wanted[key])
  if (same) return present.secretAccessKey
  throw invalid([
    {
      pointer: '/s3/secretAccessKey',
      detail: present
        ? 'has to be entered again, because endpoint, bucket or key id changed'
        : 'is required',
    },
  ])
}
