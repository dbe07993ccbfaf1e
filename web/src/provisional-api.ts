import type { Job } from '@lodge/shared/jobs.ts'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import type { InputKind } from '@lodge/shared/templates/rules/input-kind.ts'
import type { z } from 'zod'

/** Endpoints that the control plane is about to declare. */
interface E<P, Q, B, R> {
  params: P
  query: Q
  body: B
  reply: R
}
type None = undefined
type Id = { readonly id: string }
type List<T> = { items: T[]; nextCursor: string | null }
type Page = { after?: string; limit?: number }
type Document = z.input<typeof TemplateDocument>

export interface Template {
  id: string
  name: string
  description: string
  author: string
  tags: string[]
  icon: string | null
  kind: 'container' | 'vm'
  origin: 'builtin' | 'custom'
  version: number
  customerVisible: boolean
  customerDescription: string | null
  servers: number
  outdatedServers: number
  recommended: { memoryMb: number; cpuPercent: number; diskMb: number }
  images: { name: string; reference: string }[]
  variables: {
    env: string
    name: string
    description: string
    default: string
    editable: boolean
    secret: boolean
    input: InputKind
  }[]
  updatedAt: string
}

export interface ProvisionalApi {
  'POST /api/jobs/{id}/cancel': E<Id, None, None, Job>
  'POST /api/jobs/{id}/retry': E<Id, None, None, { jobId: string }>
  'GET /api/templates': E<object, Page | undefined, None, List<Template>>
  'POST /api/templates': E<object, None, Document, Template>
  'GET /api/templates/{id}': E<Id, None, None, Template & { document: Document }>
  'PUT /api/templates/{id}': E<Id, None, Document, Template>
  'DELETE /api/templates/{id}': E<Id, None, None, None>
  'POST /api/templates/import': E<
    object,
    None,
    { document: unknown; id?: string; overwrite?: boolean },
    { template: Template; warnings: { path: string; detail: string }[] }
  >
  'GET /api/templates/{id}/export': E<Id, None, None, unknown>
  'GET /api/templates/{id}/outdated': E<
    Id,
    None,
    None,
    { items: { id: string; name: string; templateVersion: number }[] }
  >
  'POST /api/templates/{id}/apply': E<
    Id,
    None,
    { confirm: true; serverIds?: string[] },
    { jobs: { serverId: string; jobId: string }[] }
  >
  'PUT /api/templates/{id}/store': E<
    Id,
    None,
    { customerVisible: boolean; customerDescription?: string },
    Template
  >
}
