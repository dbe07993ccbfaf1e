import type { ImageKind } from '@lodge/shared/branding.ts'
import { ApiError, type Fault } from '../../api.ts'

/**
 * Uploads a picture as a form: the kind, then the file.
 * @throws {ApiError}
 */
export async function uploadImage(kind: ImageKind, file: File): Promise<{ sha: string }> {
  const body = new FormData()
  body.append('kind', kind)
  body.append('file', file)
  const response = await fetch('/api/branding/assets', { method: 'POST', body })
  if (response.ok) return response.json()
  throw new ApiError((await response.json()) as Fault)
}
