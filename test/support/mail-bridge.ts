import { createHmac, randomUUID } from 'node:crypto'

/**
 * Delivers a mail to the support desk as a mail bridge does.
 * @param secret of the desk, `whsec_…`
 */
export async function bringMail(
  url: string,
  secret: string,
  body: string | object,
): Promise<{ status: number; result?: string; code?: string }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const id = randomUUID()
  const at = String(Math.floor(Date.now() / 1000))
  const sign = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
  const signature = `v1,${sign.update(`${id}.${at}.${text}`).digest('base64')}`
  const answer = await fetch(`${url}/api/support/inbound`, {
    ...{ method: 'POST', body: text },
    headers: {
      'content-type': typeof body === 'string' ? 'message/rfc822' : 'application/json',
      ...{ 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature },
    },
  })
  const { result, code } = (await answer.json()) as { result?: string; code?: string }
  return { status: answer.status, ...(result && { result }), ...(code && { code }) }
}
