/**
 * A `fault` means that data or requests are lost, refused or blocked, now or in the future. A `warning` means that this
 * may happen.
 */
export type Finding = { check: string; level: 'fault' | 'warning'; says: string; fix: string }

export const fault = (check: string, says: string, fix: string): Finding => ({ check, level: 'fault', says, fix })
export const warning = (check: string, says: string, fix: string): Finding => ({ check, level: 'warning', says, fix })
