import path from 'node:path'
import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { type Blobs, openBlobs } from './blobs.ts'
import { localFolder } from './local-folder.ts'

/** The blob store from the environment: a folder or an S3 bucket. */
export async function blobsOf(
  { blobs: { folder, limitBytes, s3 } }: Pick<Config, 'blobs'>,
  db: Db,
  egress: EgressPolicy,
): Promise<Blobs> {
  const backend = s3 ? await (await import('./s3.ts')).s3Bucket(s3, egress) : localFolder(folder)
  return openBlobs({ db, backend, arriving: path.join(folder, 'arriving'), limitBytes })
}
