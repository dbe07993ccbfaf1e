import { must } from './must.ts'

/** The authenticator's current code; each works once, so some are generated ahead of time. */
export async function codeOf(secret: string, laterSeconds = 0): Promise<string> {
  const at = Math.floor(Date.now() / 1000) + laterSeconds
  return (await must('oathtool', '--totp', '--base32', `--now=@${at}`, secret)).trim()
}
