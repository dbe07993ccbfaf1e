import { type Phrases, phrasebook, type SaidProblem, type Say } from '../phrasebook.ts'
import { attention, valuesOfAttention } from './attention.ts'
import { audit } from './audit.ts'
import { auditBusiness } from './audit-business.ts'
import { auditServers } from './audit-servers.ts'
import { checks, checksOfMachines, shortChecks, valuesOfChecks } from './checks.ts'
import { devices } from './devices.ts'
import { crashes, exits, reports, seenStops, stops } from './ends.ts'
import { events } from './events.ts'
import { failuresOfFiles, reasonsOfFiles } from './failures-files.ts'
import { failuresOfJobs, progressOfJobs, valuesOfFailures } from './failures-jobs.ts'
import { failuresOfMachines, failuresOfNodes } from './failures-nodes.ts'
import { failuresOfThePanel } from './failures-panel.ts'
import { faultsOfVariables, rulesOfVariables } from './fields-rules.ts'
import { checksOfSchemas, valuesOfFields } from './fields-schemas.ts'
import { checksOfTheServer, faultsOfCss } from './fields-server.ts'
import { checksOfZod } from './fields-zod.ts'
import { hindrances, valuesOfHindrances } from './hindrances.ts'
import { imports } from './imports.ts'
import { jobs } from './jobs.ts'
import { notesOfDeliveries, notesOfTemplates, valuesOfDeliveries, valuesOfNotes } from './notes.ts'
import { panel } from './panel.ts'
import { permissions } from './permissions.ts'
import { planLimits } from './plan-limits.ts'
import { plans } from './plans.ts'
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
  ...{ ...refusalsAboutTheHouse, ...refusalsOfWhatIsMissing, ...planLimits },
}
/** The German of each reason why a server started or ended. */
export const ends = { ...exits, ...crashes, ...stops, ...reports }
/** The German of how far jobs are. */
export const progress = progressOfJobs
/** The German of why jobs failed. */
export const failures = {
  ...{ ...failuresOfJobs, ...failuresOfNodes, ...failuresOfMachines, ...failuresOfThePanel },
  ...failuresOfFiles,
}
/** The German of why files were left out, and archives and downloads refused. */
export { reasonsOfFiles }
/** The German of what the checks of nodes found. */
export const checksOfNodes = { ...checks, ...checksOfMachines }
/** The German of what needs attention. */
export const whatNeedsAttention = attention
/** The German of what became of documents and messages, and of what plans say. */
export const notes = { ...notesOfTemplates, ...notesOfDeliveries, ...plans }
/** The German of what imports from other panels say. */
export const importsFromPanels = imports
/** The German of each reason why something is not possible. */
export { hindrances }
/** The German of what is wrong with a field. */
export const fields = {
  ...{ ...checksOfZod, ...checksOfSchemas, ...checksOfTheServer },
  ...{ ...rulesOfVariables, ...faultsOfVariables, ...faultsOfCss },
}

export const say = phrasebook(labels)
/** What follows an end is said first: how a server ended would fit to all of the text. */
const sayCrash = phrasebook(
  { ...crashes, ...stops, ...seenStops },
  phrasebook({ ...exits, ...stops }),
)
/** What the first of several phrasebooks has for a text. */
const firstOf =
  (...books: readonly Say[]): Say =>
  (text) =>
    books.map((one) => one(text)).find((found) => found !== text) ?? text

/** What stands in a reason: amounts, kinds of servers, what a check of the node found. */
const sayInReason = firstOf(phrasebook(valuesOfHindrances), phrasebook(checksOfNodes))
/** Reasons stand by themselves, and as values in others, where there can be several. */
const sayReasons = phrasebook({ ...panel, ...reasons, ...hindrances, ...exits }, (values) =>
  values.split(', ').map(sayInReason).join(', '),
)
const sayAllReasons: Say = (values) =>
  values.split('; ').map(firstOf(sayReasons, sayInReason)).join('; ')
/** A refusal comes before the reasons in it, many of which begin with a name, which would take its beginning for one. */
const sayOther = firstOf(
  phrasebook({ ...panel, ...reasons, ...refusals, ...exits, ...reports }, sayAllReasons),
  phrasebook(hindrances, sayAllReasons),
)
const sayField = phrasebook(
  { ...checksOfZod, ...checksOfSchemas, ...checksOfTheServer },
  phrasebook({ ...valuesOfFields, ...faultsOfCss }),
)
const afterName = (phrases: Phrases): Phrases =>
  Object.fromEntries(
    Object.entries(phrases).map(([text, german]) => [`{name} ${text}`, `{name} ${german}`]),
  )
/** For what begins with the name of a variable, which people choose. */
const sayVariable = phrasebook({ ...afterName(rulesOfVariables), ...faultsOfVariables })

const sayValue = firstOf(
  sayOther,
  phrasebook(valuesOfFailures, phrasebook(valuesOfFailures)),
  phrasebook({ ...reasonsOfFiles, ...notesOfDeliveries }),
)
const sayCause = firstOf(phrasebook(failures, sayValue), sayValue)
/** What failed may say why something else did, whose full stop may be that of the whole. */
const sayFailure = phrasebook(failures, (text) => {
  const said = sayCause(text)
  return said === text ? sayCause(`${text}.`).replace(/\.$/, '') : said
})
const sayCheck = phrasebook(
  { ...checksOfNodes, ...shortChecks },
  phrasebook({ ...checksOfNodes, ...valuesOfChecks }, phrasebook(valuesOfChecks)),
)

const sayAmounts = phrasebook(valuesOfAttention, (value) =>
  value.replace(/^(\d+)\.(\d+ [KMGTP]iB)$/, '$1,$2'),
)
const sayAttention = phrasebook(attention, (values) =>
  values.split(', ').map(sayAmounts).join(', '),
)

const sayCauseOfNote = firstOf(
  phrasebook({ ...valuesOfNotes, ...valuesOfDeliveries }),
  ...[phrasebook({ ...notesOfDeliveries, ...plans }), sayField, sayOther],
)
const sayNote = phrasebook(notes, (causes) => causes.split('; ').map(sayCauseOfNote).join('; '))

/** Why one record is skipped may be that another one is. */
const sayImport: Say = phrasebook(imports, (text) => sayImport(text))

const sayText = firstOf(
  ...[sayCrash, sayFailure, sayOther],
  ...[
    phrasebook(progress, phrasebook(valuesOfFailures)),
    sayField,
    sayCheck,
    sayAttention,
    sayNote,
    sayImport,
  ],
)
const sayFault = firstOf(sayField, sayVariable, sayText)

/** What a problem says; its detail may repeat those of its fields, in their order. */
function sayProblem<P extends SaidProblem>(problem: P): P {
  const errors = problem.errors?.map((one) => ({ ...one, detail: sayFault(one.detail) }))
  let detail = sayText(problem.detail)
  if (!errors) return { ...problem, detail }
  if (detail !== problem.detail) return { ...problem, errors, detail }
  let from = 0
  for (const [at, { detail: english }] of problem.errors?.entries() ?? []) {
    const found = detail.indexOf(english, from)
    const german = errors[at]?.detail ?? english
    if (found < 0) continue
    detail = `${detail.slice(0, found)}${german}${detail.slice(found + english.length)}`
    from = found + german.length
  }
  return { ...problem, errors, detail: detail.replaceAll(/(^|; )the input /g, '$1die Eingabe ') }
}

export function sayReason(text: string): string
export function sayReason<P extends SaidProblem>(problem: P): P
export function sayReason(told: string | SaidProblem): string | SaidProblem {
  return typeof told === 'string' ? sayText(told) : sayProblem(told)
}
