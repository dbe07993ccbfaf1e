import { errorCode } from '@lodge/shared/error-code.ts'
import { reasonOf } from './reason-of.ts'

const MOST_CHARACTERS = 300

/** Why the agent could not open a port of its own, for the page of the node. */
export const whyNoPort = (port: number, error: unknown): string =>
  errorCode(error) === 'EADDRINUSE'
    ? `Another program of this machine has the port ${port}.`
    : `The port ${port} could not be opened: ${reasonOf(error)}`.slice(0, MOST_CHARACTERS)
