--[[
Adds the cost of a provider call to one account, which belongs to a run or to one day of a tenant.
KEYS[1] the account
ARGV[1] calls   ARGV[2] tokens in   ARGV[3] how many of these tokens were cached   ARGV[4] tokens out
ARGV[5] cost in millionths of a cent   ARGV[6] time after the last call until the account expires (ms)
Costs are whole millionths of a cent, because sums of many small floats are inexact.
]]
local fields = { 'calls', 'tokensIn', 'tokensCached', 'tokensOut', 'microcents' }
for i, field in ipairs(fields) do
  if tonumber(ARGV[i]) > 0 then redis.call('HINCRBY', KEYS[1], field, ARGV[i]) end
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
