import { access, constants } from 'node:fs/promises'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import { findProgram } from '../find-program.ts'

const SOCKETS = ['/run/libvirt/libvirt-sock', '/run/libvirt/virtqemud-sock']

/** Path of the libvirt daemon, when it is installed. */
export async function libvirtDaemon(): Promise<string | undefined> {
  return (await findProgram('libvirtd')) ?? (await findProgram('virtqemud'))
}

/** Checks whether libvirt is installed and reachable. */
export async function checkLibvirt(): Promise<PreflightCheck> {
  if (!(await libvirtDaemon())) {
    return {
      id: 'libvirt',
      state: 'warning',
      summary: 'libvirt is not installed: this node runs containers only',
      remedy: 'For virtual machines: apt-get install libvirt-daemon-system qemu-system-x86',
    }
  }
  for (const socket of SOCKETS) {
    const usable = await access(socket, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    )
    if (usable) return { id: 'libvirt', state: 'ok', summary: 'libvirt is running', remedy: null }
  }
  return {
    id: 'libvirt',
    state: 'warning',
    summary: 'libvirt is installed and does not run',
    remedy: 'Start libvirtd when virtual machines are wanted on this node',
  }
}
