import type { BucketView } from '@lodge/shared/bucket.ts'
import type { ComponentProps, ReactNode } from 'react'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { t } from './words.ts'

/** The values of an S3 bucket in a form of settings. */
export const bucketValues = (saved: BucketView | null) => ({
  endpoint: saved?.endpoint ?? '',
  bucket: saved?.bucket ?? '',
  prefix: saved?.prefix ?? '',
  region: saved?.region ?? '',
  accessKeyId: saved?.accessKeyId ?? '',
  secretAccessKey: '',
})
export type BucketValues = ReturnType<typeof bucketValues>

/** A secret key is for the bucket for which it was typed. */
export const BUCKET_GOES_WITH = {
  secretAccessKey: ['endpoint', 'bucket', 'accessKeyId'],
} as const

/** An entered bucket is kept even while backups are stored elsewhere. */
export function bucketOf(values: BucketValues & { readonly place: string }) {
  const { place, bucket, prefix, region, accessKeyId, secretAccessKey } = values
  const endpoint = values.endpoint.trim()
  if (place !== 's3' && endpoint === '') return null
  const key = secretAccessKey === '' ? {} : { secretAccessKey }
  return { endpoint, bucket, prefix, region, accessKeyId, ...key }
}

/** The fields of an S3 bucket; an empty secret key keeps the stored one. */
export function BucketFields({
  saved,
  field,
}: {
  readonly saved: BucketView | null
  readonly field: (
    name: keyof BucketValues,
    pointer: string,
    description?: ReactNode,
  ) => Pick<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'label'>
}) {
  const keep = saved?.hasSecretAccessKey ? t.keepSaved : undefined
  return (
    <>
      <TextField
        placeholder="https://s3.example.com"
        autoComplete="off"
        {...field('endpoint', 's3/endpoint')}
      />
      <TextField width="name" autoComplete="off" {...field('bucket', 's3/bucket')} />
      <TextField width="name" autoComplete="off" {...field('prefix', 's3/prefix')} />
      <TextField width="name" autoComplete="off" {...field('region', 's3/region')} />
      <TextField width="name" mono autoComplete="off" {...field('accessKeyId', 's3/accessKeyId')} />
      <PasswordField
        width="address"
        autoComplete="off"
        {...field('secretAccessKey', 's3/secretAccessKey', keep)}
      />
    </>
  )
}
