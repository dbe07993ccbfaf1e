import {
  AbuseConfig,
  AbuseReceived,
  AbuseReport,
  AbuseSettings,
  Evidence,
  EvidenceUpload,
  ReportAddition,
  ReportLink,
  ReportStatus,
} from '@lodge/shared/support/abuse.ts'
import { get, post, put } from '../../../http/endpoint.ts'
import { readSettings } from '../../settings/index.ts'
import { supportBudgets } from '../budgets.ts'
import { evidenceBody, keepEvidence } from './evidence.ts'
import { addToReport, statusOfReport } from './follow.ts'
import { abuseConfig, reportAbuse } from './report.ts'
import { abuseArea, changeAbuseSettings, takesReports } from './settings.ts'

export const showAbuseConfig = get('/api/support/abuse/config', {
  summary: 'Whether abuse can be reported without an account, and how',
  access: { who: 'anyone', throttle: supportBudgets.publicHelp },
  reply: AbuseConfig,
  handle: ({ ctx }) => abuseConfig(ctx),
})

export const reportAbuseOf = post('/api/support/abuse', {
  summary: 'Report abuse; the answer is the same whatever it is about',
  access: { who: 'anyone', offered: takesReports, throttle: supportBudgets.abuseReport },
  body: AbuseReport,
  reply: AbuseReceived,
  shownOnce: true,
  // The captcha is verified by its provider.
  waits: true,
  handle: ({ ctx, body, http }) => reportAbuse(ctx, body, http.request.address),
})

export const uploadEvidence = post('/api/support/abuse/evidence', {
  summary: 'Upload a file to send with a report of abuse',
  access: { who: 'anyone', offered: takesReports, throttle: supportBudgets.abuseEvidence },
  query: EvidenceUpload,
  body: evidenceBody,
  reply: Evidence,
  status: 201,
  recorded: false,
  handle: ({ ctx, query, body, http }) => keepEvidence(ctx, query.name, body, http),
})

export const showReportStatus = post('/api/support/abuse/status', {
  summary: 'How far a report of abuse is, for whoever has its link',
  access: { who: 'anyone', throttle: supportBudgets.abuseStatus },
  body: ReportLink,
  reply: ReportStatus,
  recorded: false,
  handle: ({ ctx, body }) => statusOfReport(ctx, body.token),
})

export const addToReportOf = post('/api/support/abuse/additions', {
  summary: 'Add something to a report of abuse, for whoever has its link',
  access: { who: 'anyone', throttle: supportBudgets.abuseAddition },
  body: ReportAddition,
  reply: ReportStatus,
  handle: ({ ctx, body }) => addToReport(ctx, body),
})

export const showAbuseSettings = get('/api/support/abuse/settings', {
  summary: 'Whether abuse can be reported without an account, and who gets the reports',
  access: { who: 'admin', may: 'support.settings' },
  reply: AbuseSettings,
  handle: ({ ctx }) => readSettings(ctx.db, abuseArea),
})

export const editAbuseSettings = put('/api/support/abuse/settings', {
  summary: 'Change whether abuse can be reported without an account, and who gets the reports',
  access: { who: 'admin', may: 'support.settings' },
  body: AbuseSettings,
  reply: AbuseSettings,
  recorded: 'changed the settings of reports of abuse',
  handle: ({ ctx, body }) => changeAbuseSettings(ctx, body),
})
