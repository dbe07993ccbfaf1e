import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { generate } from 'otplib'
import type { Page } from 'playwright-core'

const STEP_SECONDS = 30

/**
 * The code that an authenticator shows for a secret in base32, by oathtool where it is installed.
 * @param steps how many codes later; every code works once, so a test needs more than one
 */
export async function codeOf(secret: string, steps = 0): Promise<string> {
  const at = Math.floor(Date.now() / 1000) + steps * STEP_SECONDS
  const args = ['--totp', '--base32', `--now=@${at}`, secret]
  try {
    const { stdout } = await promisify(execFile)('oathtool', args)
    return stdout.trim()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    return generate({ secret, epoch: at })
  }
}

/** A device that makes passkeys and shows them without being touched, as long as it is there. */
export async function passkeyDevice(page: Page): Promise<AsyncDisposable> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async [Symbol.asyncDispose]() {
      await session.detach()
    },
  }
}
