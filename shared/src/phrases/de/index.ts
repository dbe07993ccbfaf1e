import { phrasebook, type Say } from '../phrasebook.ts'
import { audit } from './audit.ts'
import { auditBusiness } from './audit-business.ts'
import { auditServers } from './audit-servers.ts'
import { devices } from './devices.ts'
import { crashes, exits } from './ends.ts'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { panel } from './panel.ts'
import { permissions } from './permissions.ts'
import { problems } from './problems.ts'
import { reasons } from './reasons.ts'
import { refusalsAboutTheHouse } from './refusals-house.ts'
import { refusalsOfWhatIsMissing } from './refusals-missing.ts'
import { refusalsAboutPeople } from './refusals-people.ts'
import { refusalsAboutServers } from './refusals-servers.ts'

/** The German of each declared text. */
export const labels = {
  ...{ ...permissions, ...problems, ...events, ...jobs, ...panel, ...devices },
  ...{ ...audit, ...auditServers, ...auditBusiness },
}
/** The German of each reason of a refusal. */
export const refusals = {
  ...{ ...refusalsAboutPeople, ...refusalsAboutServers },
  ...{ ...refusalsAboutTheHouse, ...refusalsOfWhatIsMissing },
}
/** The German of each reason why a server ended. */
export const ends = { ...exits, ...crashes }

export const say = phrasebook(labels)
/** What follows an end is said first: how a server ended would fit to all of the text. */
const sayCrash = phrasebook(crashes, phrasebook(exits))
/** Reasons stand by themselves, and as values in others. */
const sayOther = phrasebook(
  { ...panel, ...reasons, ...refusals, ...exits },
  phrasebook({ ...panel, ...reasons }),
)
export const sayReason: Say = (text) => {
  const crash = sayCrash(text)
  return crash === text ? sayOther(text) : crash
}
