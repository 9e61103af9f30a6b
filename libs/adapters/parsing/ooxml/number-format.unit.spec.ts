import { describe, expect, it } from 'vitest'
import { builtInFormat, formatNumber } from './number-format'

describe('a number as its cell shows it', () => {
  it.each([
    [0.95, '0%', '95%'],
    [0.1234, '0.00%', '12.34%'],
    [1234567.891, '#,##0.00', '1,234,567.89'],
    [1234567, '#,##0', '1,234,567'],
    [1.1, '0.00', '1.10'],
    [-1234.5, '#,##0.00;(#,##0.00)', '(1,234.50)'],
    [-1234.5, '#,##0.00_);[Red]\\(#,##0.00\\)', '(1,234.50)'],
    [-5, '0', '-5'],
    [-0.001, '0.00', '0.00'],
    [0, '#,##0;(#,##0);"-"', '-'],
    [1999.5, '"$"#,##0.00', '$1,999.50'],
    [1999.5, '[$€-407] #,##0.00', '€ 1,999.50'],
    [1999.5, '#,##0.00\\ [$kr-414]', '1,999.50 kr'],
    [12345678, '#,##0.0,,"M"', '12.3M'],
    [0.30000000000000004, 'General', '0.3'],
    [1.1200000000000001, '', '1.12'],
    [123456789012, 'General', '123456789012'],
    [12345.678, '0.00E+00', '1.23E+04'],
    [2.5, '# ?/?', '2 1/2'],
    [0.5, '#.##', '.5'],
    [7, '000', '007'],
    [5551234, '000-0000', '555-1234'],
    [1.005, '0.00', '1.01'],
    [42, '0" kWh"', '42 kWh'],
    [3, '[<10]"few";[>=10]"many"', 'few'],
    [12, '0;-0;;@', '12'],
    [21, '0.0 "°C"', '21.0 °C'],
  ])('%d as %s', (value, code, text) => {
    expect(formatNumber(value, code)).toBe(text)
  })

  it.each([
    [45292, 'm/d/yyyy', '2024-01-01'],
    [45292, 'dd.mm.yyyy', '2024-01-01'],
    [45292, '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', '2024-01-01'],
    [45292.5, 'yyyy-mm-dd hh:mm:ss', '2024-01-01 12:00:00'],
    [45292.25, 'm/d/yy h:mm', '2024-01-01 06:00'],
    [45292, 'mmm-yy', 'Jan-24'],
    [45292, 'yyyy', '2024'],
    [45292, 'd mmm', '1 Jan'],
    [0.75, 'h:mm AM/PM', '6:00 PM'],
    [0.5, 'hh:mm:ss', '12:00:00'],
    [1.5, '[h]:mm', '36:00'],
    [0.0104166667, 'mm:ss', '15:00'],
    [59, 'yyyy-mm-dd', '1900-02-28'],
    [61, 'yyyy-mm-dd', '1900-03-01'],
  ])('%d as the date %s', (value, code, text) => {
    expect(formatNumber(value, code)).toBe(text)
  })

  it('counts from 1904 where the workbook does', () => {
    expect(formatNumber(43830, 'yyyy-mm-dd', true)).toBe('2024-01-01')
  })

  it('shows what is no date as a number', () => {
    expect(formatNumber(-3, 'yyyy-mm-dd')).toBe('-3')
  })

  it('knows the formats that have a number only', () => {
    expect([9, 10, 44, 0].map((id) => formatNumber(0.5, builtInFormat(id)))).toEqual(['50%', '50.00%', '$0.50', '0.5'])
    expect(formatNumber(45292, builtInFormat(14))).toBe('2024-01-01')
  })
})
