--[[
Makes a run the last of its thread, unless another became that meanwhile.
KEYS[1] thread:{tenant}:hash
ARGV[1] what was read of the thread, '' for nothing   ARGV[2] what it is to be, '' for nothing   ARGV[3] how long it is kept (ms)
Returns 1, or 0 when the thread is not as it was read.
]]
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1
