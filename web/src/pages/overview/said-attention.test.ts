import * as german from '@lodge/shared/phrases/de/index.ts'
import { ENGLISH, loadTranslations, speak } from '@lodge/shared/words/bind.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saidReason, sayWith } from '../../panel/said.ts'
import { saidTitle } from './said-attention.ts'

const asItIs = <T>(text: T): T => text
beforeAll(async () => {
  await loadTranslations('de')
  speak('de')
  sayWith(german)
})
afterAll(() => {
  speak(ENGLISH)
  sayWith({ say: asItIs, sayReason: asItIs })
})

test.each([
  [
    'storage_full',
    'The disk of the control plane is full: 3 MiB are left for /data',
    'Die Disk der Control Plane ist voll: 3 MiB sind frei für /data',
  ],
  ['node_offline', 'zrh-1 is not connected', 'zrh-1 ist nicht verbunden'],
  ['node_disk_full', 'The disk of zrh-1 is 95% full', 'Die Disk von zrh-1 ist zu 95 % voll'],
  ['node_over_capacity', 'zrh-1 is overcommitted', 'zrh-1 ist überbelegt'],
  [
    'agent_outdated',
    'The agent of zrh-1 is outdated (0.1.0)',
    'Der Agent von zrh-1 ist veraltet (0.1.0)',
  ],
  [
    'server_crashed',
    'lobby failed crashed and is not restarted',
    'lobby failed ist abgestürzt und wird nicht neu gestartet',
  ],
  ['job_failed', 'Remove old failed failed', '„Remove old failed“ ist fehlgeschlagen'],
  ['job_failed', 'Remove old failed 3 times', '„Remove old“ ist 3-mal fehlgeschlagen'],
  [
    'appeal_waiting',
    'ann@example.com waits for an answer',
    'ann@example.com wartet auf eine Antwort',
  ],
] as const)('a problem is shown in German: %s, %s', (kind, title, told) => {
  expect(saidTitle({ kind, title })).toBe(told)
})

test.each([
  [
    'You cannot control 3 servers on it. Check that the machine is running and its agent can reach the control plane.',
    'Sie können darauf 3 Server nicht steuern. Prüfen Sie, ob die Maschine läuft und ihr Agent die Control Plane erreicht.',
  ],
  [
    'Allocated: 9.8 GiB of 4 GiB memory, 150% of 100% CPU. Move servers, or correct the capacity of the node.',
    'Vergeben: 9,8 GiB von 4 GiB Arbeitsspeicher, 150% von 100% CPU. Ziehen Sie Server um, oder korrigieren Sie die Kapazität des Nodes.',
  ],
  [
    'Lodge works on its database with the rights of the owner of its tables: DATABASE_URL may not make roles. Give it a role of its own with LODGE_APPLICATION_DATABASE_URL.',
    'Lodge arbeitet auf der Datenbank mit den Rechten des Eigentümers der Tabellen: DATABASE_URL darf keine Rollen anlegen. Geben Sie ihm mit LODGE_APPLICATION_DATABASE_URL eine eigene Rolle.',
  ],
])('its remedy is shown in German: %s', (detail, told) => {
  expect(saidReason(detail)).toBe(told)
})
