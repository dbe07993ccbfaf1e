import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { errorCode } from '@lodge/shared/error-code.ts'
import { generate } from 'otplib'
import type { Page } from 'playwright-core'
import { epochOfStep } from '../../support/totp.ts'

/**
 * The authenticator's code for a base32 secret, by oathtool if installed.
 * @param steps how many time steps ahead; every code works once, so a test needs several
 */
export async function codeOf(secret: string, steps = 0): Promise<string> {
  const at = await epochOfStep(steps)
  const args = ['--totp', '--base32', `--now=@${at}`, secret]
  try {
    const { stdout } = await promisify(execFile)('oathtool', args)
    return stdout.trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return generate({ secret, epoch: at })
  }
}

interface PasskeyDevice extends AsyncDisposable {
  /** Whether it recognizes its owner; if not, it refuses as if the person had cancelled. */
  readonly recognizes: (isOwner: boolean) => Promise<void>
}

/** A virtual passkey device that responds without being touched, until disposed. */
export async function passkeyDevice(page: Page): Promise<PasskeyDevice> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
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
    async recognizes(isOwner) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isOwner })
    },
    async [Symbol.asyncDispose]() {
      await session.detach()
    },
  }
}
