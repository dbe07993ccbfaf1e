import { must } from './must.ts'

/** The code that an authenticator shows; each works once, so some are taken before their time. */
export async function codeOf(secret: string, laterSeconds = 0): Promise<string> {
  const at = Math.floor(Date.now() / 1000) + laterSeconds
  return (await must('oathtool', '--totp', '--base32', `--now=@${at}`, secret)).trim()
}
