import { Attachment } from '@lodge/shared/attachments.ts'
import { ApiError } from '../../api.ts'
import { t } from './words.ts'

const refusal = (status: number, detail: string): ApiError =>
  new ApiError({
    ...{ type: 'about:blank', title: t.notSent, status, code: 'no_answer', detail, instance: '' },
  })

/** Uploads a file that is sent with the next message. */
export async function attach(address: string, file: File): Promise<Attachment> {
  const response = await fetch(`${address}?${new URLSearchParams({ name: file.name })}`, {
    credentials: 'same-origin',
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  }).catch(() => {
    throw refusal(0, t.notReached)
  })
  if (response.ok) return Attachment.parse(await response.json())
  const isJson = response.headers.get('content-type')?.includes('json')
  throw isJson
    ? new ApiError(await response.json())
    : refusal(response.status, t.answerWas({ status: response.status }))
}
