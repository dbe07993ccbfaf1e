import { z } from 'zod'

/** API schemas of an S3 bucket in the settings. */

/** The bucket is in the path: an address that has one already would lead elsewhere. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin, href } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

/** What names a bucket, as people enter it. */
const bucketFields = {
  endpoint: z
    .string()
    .trim()
    .overwrite((text) => text.replace(/\/+$/, ''))
    .max(500)
    .refine(isOrigin, 'must be an address such as https://s3.example.com, without a path'),
  bucket: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  /** Folder in the bucket. */
  prefix: z
    .string()
    .trim()
    .max(200)
    .regex(/^([A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*)?$/, 'must be a folder such as lodge/backups')
    .refine((path) => !path.split('/').some((part) => part === '.' || part === '..')),
  region: z
    .string()
    .trim()
    .max(64)
    .regex(/^[A-Za-z0-9-]*$/),
  accessKeyId: z.string().trim().min(1).max(200),
}

/** As an administrator enters it. An absent secret key is kept if endpoint, bucket and key id stay the same. */
export const EditBucket = z.strictObject({
  ...bucketFields,
  secretAccessKey: z.string().min(1).max(500).optional(),
})
export type EditBucket = z.infer<typeof EditBucket>

/** As it is shown: whether the secret key is set, never its value. */
export const BucketView = z.object({
  endpoint: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  region: z.string(),
  accessKeyId: z.string(),
  hasSecretAccessKey: z.boolean(),
})
export type BucketView = z.infer<typeof BucketView>

/** As it is stored; the secret key is encrypted. */
export const StoredBucket = z.strictObject({ ...bucketFields, secretAccessKey: z.string() })
export type StoredBucket = z.infer<typeof StoredBucket>
