# SPDX-License-Identifier: BSD-3-Clause
# W1L, W3 and W6 as one writes them with ode45 and ode15s: a line for each size.
1;

function main (most)
  history_save (false);  # without a folder for it Octave ends with an error
  warning ("off", "integrate_adaptive:unexpected_termination");  # an impact is what ends a flight
  powers = 10.^(1:5);
  compare ("W1L", @ball, @ball_exactly, powers(1:3), most);
  compare ("W3", @chain, @chain_exactly, powers, most);
  compare ("W6", @rod, @rod_exactly, powers, most);
endfunction

function compare (name, run, exact, sizes, most)
  for parts = sizes(sizes <= most)
    start = cputime ();
    values = run (parts);
    seconds = cputime () - start;
    printf ("%s %d %.2g %.3g\n", name, parts, max (abs (values - exact (parts))), seconds);
    fflush (stdout);
    if (seconds > 6)  # the next size is ten times as large, and would take more than a minute
      break;
    endif
  endfor
endfunction

# A ball without loss: the times of its impacts.
function times = ball (impacts)
  now = 0;
  state = [9.81/2; 0];
  times = zeros (impacts, 1);
  for k = 1:impacts
    [now, state] = fall (now, state, 2*impacts);
    times(k) = now;
    state = [0; -state(2)];
  endfor
endfunction

# An event is found on the straight line between two steps: the last is gone through again in shorter ones.
function [now, state] = fall (now, state, latest)
  options = odeset ("RelTol", 1e-8, "AbsTol", 1e-12, "Events", @floor_below);
  do
    [t, y, now_below, state_below] = ode45 (@falling, [now, latest], state, options);
    if (isempty (now_below))
      error ("ode45 has not found the floor after %g s", now);
    endif
    now = t(end-1);
    state = y(end-1,:)';
    step = now_below(end) - now;
    options = odeset (options, "MaxStep", step/10);
  until (step < 1e-6)
  now = now_below(end);
  state = state_below(end,:)';
endfunction

function rates = falling (t, state)
  rates = [state(2); -9.81];
endfunction

function [height, ends, direction] = floor_below (t, state)
  height = state(1);
  ends = true;
  direction = -1;
endfunction

function times = ball_exactly (impacts)
  times = 2*(1:impacts)' - 1;
endfunction

# Masses, springs and dampers between walls: speeds after 100 s.
function speeds = chain (states)
  masses = states/2;
  second = second_difference (masses);
  start = [sine(1, masses) + 0.1*sine(middle (masses), masses); zeros(masses, 1)];
  rates = @(t, y) [y(masses+1:end); second*(y(1:masses) + 0.02*y(masses+1:end))];
  # a time between start and end, or all steps would be kept
  [t, y] = ode45 (rates, [0, 50, 100], start, odeset ("RelTol", 1e-6, "AbsTol", 1e-9));
  speeds = y(end,masses+1:end)';
endfunction

function speeds = chain_exactly (states)
  masses = states/2;
  high = middle (masses);
  speeds = speed (1, masses)*sine (1, masses) + 0.1*speed (high, masses)*sine (high, masses);
endfunction

function mode = middle (masses)
  mode = floor ((masses + 1)/2);
endfunction

function value = speed (mode, masses)
  eigenvalue = 4*sin (pi*mode/(2*(masses + 1)))^2;
  decay = 0.02*eigenvalue/2;
  frequency = sqrt (eigenvalue - decay^2);
  value = -exp (-decay*100)*sin (frequency*100)*(frequency + decay^2/frequency);
endfunction

# A rod that conducts heat: temperatures after 0.1 s.
function temperatures = rod (parts)
  conduction = (parts + 1)^2*second_difference (parts);
  start = sine (1, parts) + 0.5*sine (3, parts);
  options = odeset ("RelTol", 1e-6, "AbsTol", 1e-9, "Jacobian", conduction);
  [t, y] = ode15s (@(t, y) conduction*y, [0, 0.05, 0.1], start, options);
  temperatures = y(end,:)';
endfunction

function temperatures = rod_exactly (parts)
  left = @(mode) exp (-4*(sin (mode*pi/(2*(parts + 1)))*(parts + 1))^2*0.1);
  temperatures = left (1)*sine (1, parts) + 0.5*left (3)*sine (3, parts);
endfunction

function matrix = second_difference (parts)
  matrix = spdiags (ones (parts, 1)*[1, -2, 1], -1:1, parts, parts);
endfunction

# A mode of a row of equal parts between two ends that are held.
function values = sine (mode, parts)
  values = sin (pi*mode*(1:parts)'/(parts + 1));
endfunction

most = Inf;
if (! isempty (argv ()))
  most = str2double (argv (){1});
endif
main (most);
