import { DriverError } from '@lodge/driver/driver.ts'
import { errorCode } from '@lodge/shared/error-code.ts'
import { FAULT, LibvirtError, LibvirtUnavailable } from './port/fault.ts'

/**
 * Translates an error of libvirt or the system into a `DriverError`; a `DriverError` is returned as
 * it is.
 */
export function asDriverError(error: unknown): unknown {
  if (error instanceof DriverError || !(error instanceof Error)) return error
  if (error instanceof LibvirtUnavailable)
    return new DriverError('runtime_unavailable', error.message, {
      retryable: true,
      cause: error.cause,
    })
  const text = error.message
  if (errorCode(error) === 'ENOSPC' || /no space left on device/i.test(text))
    return new DriverError('disk_full', 'The disk of this machine is full.', {
      retryable: true,
      cause: error,
    })
  if (!(error instanceof LibvirtError)) return error
  // A storage gives up the locks of a node that was lost only after a while.
  if (/Failed to get .*lock/.test(text))
    return new DriverError(
      'not_stopped',
      'The disks of the machine are still open elsewhere, maybe on another node. It is tried again',
      { retryable: true, cause: error },
    )
  switch (error.code) {
    case FAULT.noDomain:
      return new DriverError('not_found', 'There is no such machine on this node.', {
        cause: error,
      })
    case FAULT.hookRefused:
      return new DriverError('not_permitted', 'The node refused to boot the machine.', {
        retryable: true,
        cause: error,
      })
    case FAULT.agentUnresponsive:
      return new DriverError('timeout', 'The guest agent does not answer.', {
        retryable: true,
        cause: error,
      })
    case FAULT.xml:
    case FAULT.xmlDetail:
    case FAULT.configUnsupported:
      return new DriverError('invalid_spec', text, { cause: error })
    default:
      return new DriverError('start_failed', text, { retryable: true, cause: error })
  }
}

/** Runs work and converts its errors to `DriverError`; an abort keeps its reason. */
export async function withDriverErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asDriverError(error)
  }
}
