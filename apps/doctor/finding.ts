/** `fault`: data or requests are or will be lost, refused or blocked. `warning`: this may happen. */
export type Finding = { check: string; level: 'fault' | 'warning'; says: string; fix: string }

export const fault = (check: string, says: string, fix: string): Finding => ({ check, level: 'fault', says, fix })
export const warning = (check: string, says: string, fix: string): Finding => ({ check, level: 'warning', says, fix })
