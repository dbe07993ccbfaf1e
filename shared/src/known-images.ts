import { z } from 'zod'
import { MEDIUM_KINDS } from './machine-spec.ts'
import { httpsAddress, label } from './vms.ts'

/** An image or installer that its publisher offers for download. */
export const KnownImage = z.strictObject({
  name: label,
  kind: z.enum(MEDIUM_KINDS),
  url: httpsAddress,
  checksumUrl: httpsAddress,
  notes: z.string().trim().max(300).default(''),
})
export type KnownImage = z.infer<typeof KnownImage>

export const KnownImages = z
  .array(KnownImage)
  .max(200)
  .refine((images) => new Set(images.map(({ name }) => name)).size === images.length, {
    message: 'two have the same name',
  })
export const KnownImageList = z.object({
  images: z.array(KnownImage),
  /** True while the list that ships with Lodge is unchanged. */
  builtIn: z.boolean(),
})
