/** `fault`: something is lost, refused or stands still because of it, or will be; `warning`: it may. */
export type Finding = { check: string; level: 'fault' | 'warning'; says: string; fix: string }

export const fault = (check: string, says: string, fix: string): Finding => ({ check, level: 'fault', says, fix })
export const warning = (check: string, says: string, fix: string): Finding => ({ check, level: 'warning', says, fix })
