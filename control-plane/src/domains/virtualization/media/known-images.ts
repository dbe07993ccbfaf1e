import { type KnownImage, KnownImages } from '@lodge/shared/known-images.ts'
import { z } from 'zod'
import type { Area } from '../../../catalogue.ts'
import type { Db } from '../../../db/database.ts'
import { forgetSettings, readSettings, writeSettings } from '../../settings/index.ts'
import builtIn from './known-images.json' with { type: 'json' }

/** The built-in list. It contains no checksums; they come from the publishers at each download. */
const BUILT_IN: readonly KnownImage[] = KnownImages.parse(builtIn.images)

/** The operator's version of the list; null if unchanged. */
const list: Area<{ images: KnownImage[] | null }> = {
  name: 'known_images',
  schema: z.strictObject({ images: KnownImages.nullable() }),
  initial: { images: null },
}

export interface KnownImageList {
  readonly images: KnownImage[]
  readonly builtIn: boolean
}

/** Images and installers to choose from. */
export async function knownImages(db: Db): Promise<KnownImageList> {
  const { images } = await readSettings(db, list)
  return { images: images ?? [...BUILT_IN], builtIn: images === null }
}

export async function editKnownImages(db: Db, images: KnownImage[]): Promise<KnownImageList> {
  await writeSettings(db, list, { images })
  return { images, builtIn: false }
}

export const resetKnownImages = (db: Db): Promise<void> => forgetSettings(db, list)
