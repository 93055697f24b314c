"""C++ that uses kern.hpp: snippets that must compile, must not, or cause a warning.

Each snippet is the body of

    void snippet(kern::Module &module, kern::Function &f, kern::Array &a,
                 const kern::Array &readOnly, Floats &x, const Floats &fixed)

with `using Floats = std::vector<float>` and `void use(auto &&...)`.
"""

# A temporary's memory is gone: the member function is deleted.
DANGLING = {
    "a loop over a span of a call's result":
        "for (float v : f(x, 1).array().span<float>()) use(v);",
    "a loop over a span of a converted call":
        "for (float v : kern::Array(f(x, 1)).span<float>()) use(v);",
    "a span of a new array":
        "std::span<float> s = kern::Array(x).span<float>(); use(s);",
    "a const span of a new array":
        "std::span<const float> s = kern::Array(x).span<float>(); use(s);",
    "a span of a copy": "auto s = a.copy().span<float>(); use(s);",
    "a span of a copy on the host":
        "auto s = readOnly.to(kern::cpu()).span<float>(); use(s);",
    "a span of a moved array":
        "auto s = std::move(a).span<float>(); use(s);",
    "a span of a const temporary":
        "auto s = static_cast<const kern::Array &&>(a).span<float>(); use(s);",
    "a span of one of several results":
        "auto s = std::get<0>(f(x).arrays<2>()).span<float>(); use(s);",
    "a pointer to a result": "float *p = f(x).array().data<float>(); use(p);",
    "the shape of a result":
        "for (int64_t extent : f(x).array().shape()) use(extent);",
    "the tensor of a result":
        "const DLTensor *t = f(x).array().get(); use(t);",
    "the tensor of a view":
        "const DLTensor *t = kern::view(x, {1, 2}).get(); use(t);",
    "the shape of a view":
        "for (int64_t e : kern::view(x, {1, 2}).shape()) use(e);",
    "the value of an argument": "kern_value v = kern::Argument(x).get(); use(v);",
    "the tensor of an output":
        "const DLTensor *t = kern::Output(x).get(); use(t);",
    "the name of a function":
        'std::string_view n = module["f"].name(); use(n);',
    "the signature of a function":
        'std::string_view n = module["f"].signature(); use(n);',
    "the manifest of a module":
        'auto t = kern::Module::compileFile("f.kern").manifest(); use(t);',
    "the docstring of a function":
        'std::string_view n = module["f"].doc(); use(n);',
    "the operands of a function":
        'auto all = module["f"].operands(); use(all);',
    "the source of a module":
        'auto t = kern::Module::compileFile("f.kern").source(); use(t);',
    "linked code":
        "auto m = kern::Module::load(kern_native_code{}); use(m);",
    "a const temporary array":
        "kern::Argument g(static_cast<const kern::Array &&>(a)); use(g);",
}

ARGUMENT = "kern: this is not an argument: pass a number"
VIEWED = "kern: a view of a temporary would dangle"
RANGE = "kern: this is not a contiguous range of elements"
BITS = "kern: std::vector<bool> holds bits"
CONST = "kern: a result cannot be written to what is const"
TEMPORARY = "kern: a result cannot be written to a temporary"
OUTPUT = "kern: no result can be written to this"
MASK = "kern: where() takes an array of bool"
ELEMENT = "kern: this is not an element type"

# One static_assert with this text refuses these.
REFUSED = {
    # Arguments
    "text behind a method": (ARGUMENT, 'f.reduce("hello").run();'),
    "text to begin with": (ARGUMENT, 'f.reduce(x).initial("hello").run();'),
    "at of a const array": (CONST, "f.at(readOnly, x, 1).run();"),
    "at of a const vector": (CONST, "f.at(fixed, x, 1).run();"),
    "at of a temporary": (TEMPORARY, "f.at(Floats(3), x, 1).run();"),
    "a method's mask of numbers": (MASK, "f.reduce(x).where(x).run();"),
    "text": (ARGUMENT, 'kern::Array r = f("hello");'),
    "text behind an argument": (ARGUMENT, 'kern::Array r = f(x, "hello");'),
    "text of a temporary function": (ARGUMENT, 'module["f"]("hello").run();'),
    "a string": (ARGUMENT, 'f(std::string("hello")).run();'),
    "a character": (ARGUMENT, "f('a').run();"),
    "long double": (ARGUMENT, "f(1.0L).run();"),
    "a null pointer": (ARGUMENT, "f(nullptr).run();"),
    "a half that is not said to be a scalar": (ARGUMENT, "f(kern::half{1}).run();"),
    "vectors of vectors": (ARGUMENT, "f(std::vector<Floats>(2)).run();"),
    "a matrix of C": (ARGUMENT, "float m[2][2] = {}; f(m).run();"),
    "a list": (ARGUMENT, "std::list<float> l; f(l).run();"),
    "a deque": (ARGUMENT, "std::deque<float> d; f(d).run();"),
    "volatile memory":
        (ARGUMENT, "std::span<volatile float> s(x); f(s).run();"),
    "a function": (ARGUMENT, "f(f).run();"),
    "bits": (BITS, "f(std::vector<bool>{true}).run();"),
    "bits with a name": (BITS, "std::vector<bool> b; f(b).run();"),
    "a pointer": ("kern: a pointer does not say how many", "f(x.data()).run();"),
    "a call with a name":
        ("kern: a call runs once", "auto &&c = f(x, x); f(c).run();"),
    "a list in braces":
        ("kern: a list in braces cannot be moved from", "f.call({x, 1}).run();"),
    "a list in braces for a temporary":
        ("kern: a list in braces cannot be moved from",
         'module.function("g").call({x}).run();'),
    # Views
    "a view of a temporary":
        (VIEWED, "auto v = kern::view(Floats{1, 2}, {2, 1}); use(v);"),
    "a view of a moved vector":
        (VIEWED, "auto v = kern::view(std::move(x), {2, 1}); use(v);"),
    "a view of a list that is written there":
        (VIEWED, "auto v = kern::view(std::initializer_list<float>{1}, {1});"
                 " use(v);"),
    "a view of text": (RANGE, 'auto v = kern::view("hello", {6}); use(v);'),
    "a view of bits":
        (BITS, "std::vector<bool> b; auto v = kern::view(b, {0}); use(v);"),
    # Places for results
    "into a const vector": (CONST, "f(x).into(fixed);"),
    "into a const array": (CONST, "f(x).into(readOnly);"),
    "into a const moved array": (CONST, "f(x).into(std::move(readOnly));"),
    "into a const span": (CONST, "std::span<const float> s(x); f(x).into(s);"),
    "into a const C array": (CONST, "const float c[2] = {}; f(x).into(c);"),
    "into an array of const": (CONST, "std::array<const float, 2> c{}; f(x).into(c);"),
    "into a view of a const vector":
        (CONST, "f(x).into(kern::view(fixed, {1, 2}));"),
    "into a const view with a name":
        (CONST, "auto v = kern::view(fixed, {2}); f(x).into(v);"),
    "into a list": (CONST, "auto l = {1.f, 2.f}; f(x).into(l);"),
    "into a const tensor": (CONST, "f(x).into(*readOnly.get());"),
    "into a const second place": (CONST, "f(x).into(x, fixed);"),
    "into a temporary vector": (TEMPORARY, "f(x).into(Floats(3));"),
    "into a moved vector": (TEMPORARY, "f(x).into(std::move(x));"),
    "into a temporary std::array": (TEMPORARY, "f(x).into(std::array<float, 2>{});"),
    "into a temporary array": (TEMPORARY, "f(x).into(kern::Array(x));"),
    "into a moved array": (TEMPORARY, "f(x).into(std::move(a));"),
    "into a temporary tensor": (TEMPORARY, "f(x).into(DLTensor{});"),
    "into bits": (BITS, "std::vector<bool> b; f(x).into(b);"),
    "into text": (OUTPUT, 'f(x).into("hello");'),
    "into a number": (OUTPUT, "float y = 0; f(x).into(y);"),
    "into a pointer": (OUTPUT, "f(x).into(x.data());"),
    "into another call": (OUTPUT, "f(x).into(f(x));"),
    "preparing for a const array": (CONST, "auto p = f(x).prepare(readOnly); use(p);"),
    "preparing for a temporary": (TEMPORARY, "auto p = f(x).prepare(Floats(3)); use(p);"),
    "preparing for text": (OUTPUT, 'auto p = f(x).prepare("hello"); use(p);'),
    # Masks
    "a number as a mask": (MASK, "kern::Array r = f(x).where(true);"),
    "floats as a mask": (MASK, "kern::Array r = f(x).where(x);"),
    "bytes as a mask": (MASK, "kern::Array r = f(x).where(std::vector<uint8_t>(3));"),
    "bits as a mask": (BITS, "kern::Array r = f(x).where(std::vector<bool>(3));"),
    "text as a mask": (ARGUMENT, 'kern::Array r = f(x).where("hello");'),
    # Elements
    "a span of characters": (ELEMENT, "auto s = a.span<char>(); use(s);"),
    "a pointer to long double": (ELEMENT, "auto p = a.data<long double>(); use(p);"),
    "an item that is text": (ELEMENT, "use(a.item<std::string>());"),
    "an empty array of text": (ELEMENT, "use(kern::Array::empty<char>({1}));"),
}

# C++ itself refuses these, as the classes are defined.
REFUSED_BY_TYPE = {
    "a span that writes to a const array":
        "std::span<float> s = readOnly.span<float>(); use(s);",
    "a pointer that writes to a const array":
        "float *p = readOnly.data<float>(); use(p);",
    "a tensor of a const array": "DLTensor *t = readOnly.get(); use(t);",
    "a view that writes to a const vector":
        "kern::View v = kern::view(fixed, {2}); use(v);",
    "a view that writes to const memory":
        "kern::View v(fixed.data(), KERN_F32, {2}); use(v);",
    "a view that writes to a const tensor":
        "kern::View v(*readOnly.get()); use(v);",
    "assigning to a const array": "readOnly.assign(a);",
    "a place for a result that is const": "kern::Output o(fixed); use(o);",
    "a copy of an array": "kern::Array b = a; use(b);",
    "a copy of a call": "auto c = f(x, x).on(kern::cpu()); use(c);",
    "a call with a name that runs by itself":
        "auto &&c = f(x, x); kern::Array r = c;",
    "a report that is a temporary":
        "f(x, x).report(kern::Report{}).into(a);",
    "writing by a prepared call to const memory":
        "auto p = f(x).prepare(a); const void *in[] = {x.data()};"
        "const void *out[] = {fixed.data()}; p.launch(in, out);",
    "an array of text": 'kern::Array b("hello"); use(b);',
    "results that are taken apart without their number":
        "auto [q, r] = f(x, x);",
}

# With -Werror clang refuses these; g++ knows no lifetimes.
WARNED = {
    "a span that outlives its array":
        "auto g = [&] { kern::Array b(x); return b.span<float>(); }; use(g());",
    "a const span that outlives its array":
        "auto g = [&]() -> std::span<const float> { const kern::Array b(x);"
        " return b.span<float>(); }; use(g());",
    "a pointer that outlives its array":
        "auto g = [&] { kern::Array b(x); return b.data<float>(); }; use(g());",
    "a shape that outlives its array":
        "auto g = [&] { kern::Array b(x); return b.shape(); }; use(g());",
    "a tensor that outlives its view":
        "auto g = [&] { auto v = kern::view(x, {2}); return v.get(); }; use(g());",
    "a view that outlives its vector":
        "auto g = [] { Floats y(2); return kern::view(y, {2, 1}); }; use(g());",
    "a call that outlives its vector":
        "auto g = [&] { Floats y(2); return f(y, x); };"
        "kern::Array r = g(); use(r);",
    "a call that outlives its array":
        "auto g = [&] { kern::Array b(x); return f(b, x); };"
        "kern::Array r = g(); use(r);",
    "a call that outlives its function":
        'auto g = [&] { auto h = module["h"]; return h(x, x); };'
        "kern::Array r = g(); use(r);",
    "a reference to a call with an option":
        "auto &&c = f(x, x).on(kern::cpu());"
        "kern::Array r = std::move(c); use(r);",
    "an argument that outlives its vector":
        "auto g = [] { Floats y(2); return kern::Argument(y); }; use(g());",
    "an output that outlives its vector":
        "auto g = [] { Floats y(2); return kern::Output(y); }; use(g());",
    "a name that outlives its function":
        'auto g = [&] { auto h = module["h"]; return h.name(); }; use(g());',
    "a manifest that outlives its module":
        'auto g = [] { auto m = kern::Module::loadFile("f.ptx");'
        " return m.manifest(); }; use(g());",
    "a call that is not used": "f(x, x);",
}

ACCEPTED = {
    "methods of a function and of a temporary one":
        "kern::Array r = f.reduce(x).axis({0, -1}).keepdims().initial(1).where(a);"
        "r = module[\"f\"].accumulate(readOnly).axis(1).dtype(KERN_F64);"
        "r = f.reduceat(fixed, std::vector<int>{0, 2}).on(kern::cpu());"
        "r = f.outer(Floats(2), 1); f.accumulate(fixed).into(a); use(r);",
    "what at writes to":
        "f.at(a, std::vector<int>{0}, fixed).run(); f.at(x, x).run();"
        "f.at(kern::view(x, {1, 2}), 0, 1, readOnly).run();"
        "f.at(std::span<float>(x), std::vector<int8_t>{0}, f(x)).run();",
    "a loop over a result with a name":
        "for (kern::Array r = f(x, 1); float v : r.span<float>()) use(v);",
    "a const array is read":
        "std::span<const float> s = readOnly.span<float>();"
        "const float *p = readOnly.data<float>(); use(s, p, readOnly.get());",
    "a const array and a const vector are arguments":
        "kern::Array r = f(readOnly, fixed, std::as_const(a));",
    "an array is read as const":
        "std::span<const float> s = a.span<float>(); use(s);",
    "values of temporaries":
        "use(f(x).item<float>(), f(x).array().item<double>(),"
        " f(x).array().shape(0), f(x).array().size(), f(x).array().dtype(),"
        " f(x).array().strides());",
    "every kind of number":
        "f(1, 2u, 3L, int8_t(4), 0.5, 0.5f, true, std::complex<float>(1, 2),"
        " kern::scalar<float>(1), kern::scalar(kern::half{1})).run();",
    "every kind of array":
        "float c[3] = {}; const float k[2] = {}; std::array<double, 2> d{};"
        "std::span<const float> s(x); std::vector<kern::half> h(2);"
        "std::array<bool, 2> b{}; DLTensor &t = *a.get();"
        "f(x, fixed, c, k, d, s, h, b, a, readOnly, t, kern::view(x, {2, 1}),"
        " kern::view(fixed, {2, 1}), kern::View(x.data(), KERN_F32, {2}),"
        " kern::ConstView(fixed.data(), KERN_F32, {2})).run();",
    "temporaries are owned":
        "kern::Argument k[] = {Floats{1, 2}, std::array<float, 2>{},"
        " std::initializer_list<float>{1, 2}, kern::Array(x), std::move(a),"
        " DLTensor{}, kern::ConstView(x.data(), KERN_F32, {2}), f(x), 1, true};"
        "use(k);",
    "temporaries in the expression of a call":
        'kern::Array r = kern::Module::compileFile("f.kern")["f"]'
        "(Floats{1}, kern::Array(x), 1, f(x, 2));",
    "a function that returns what a call gives":
        "auto g = [&](int n) -> kern::Array { Floats y(2); return f(y, n, 1); };"
        "use(g(1));",
    "a range that is borrowed":
        "f(std::span(x), std::span(x).first(1), std::views::counted(x.begin(), 1),"
        " std::ranges::subrange(x)).into(std::span(x));",
    "every place for a result":
        "float c[3] = {}; std::array<float, 3> d{}; std::span<float> s(x);"
        "const std::span<float> t(x); const kern::View w(x.data(), KERN_F32, {2});"
        "f(x).into(x, c, d, s, t, w, a, *a.get(), kern::view(x, {2, 1}),"
        " kern::View(*a.get()), std::span(d));",
    "every mask":
        "std::array<bool, 2> m{}; bool c[2] = {};"
        "f(x).where(m).into(x); f(x).where(c).into(x); f(x).where(a).into(x);"
        "f(x).where(readOnly).into(x); f(x).where(std::array{true}).into(x);"
        "f(x).where(std::span(m)).into(x); f(x).where(f(x)).into(x);"
        "f(x).where(kern::view(m, {2, 1})).into(x);"
        "f(x).where(kern::Argument(m)).into(x);",
    "every option":
        "kern::Report report{}; f(x).on(kern::cpu()).stream(nullptr).axis(0)"
        ".axis({0, 1}).allAxes().axes({{0}, {1}}).keepdims()"
        ".order(KERN_ORDER_C).casting(KERN_CASTING_SAFE).dtype(KERN_F32)"
        ".signature({KERN_F32, KERN_F32}).report(report).into(x);",
    "several results are taken apart":
        "auto [q, r] = f(x).arrays<2>(); use(q.span<float>(), r.span<float>());",
    "many results":
        "for (kern::Array &r : f(x).run()) use(r.span<float>());",
    "a number of arguments that is not known":
        "std::vector<kern::Argument> l; l.emplace_back(x); l.emplace_back(1);"
        "l.emplace_back(Floats{1}); f.call(std::move(l)).into(x);",
    "prepared calls":
        "auto p = f(x, 1).prepare(a); double n = 1;"
        "std::array<const void *, 2> in{x.data(), &n};"
        "std::array<void *, 1> out{a.data<float>()}; p.launch(in, out);",
    "a choice between calls":
        "kern::Array r = x.empty() ? f(x, 1) : f(1, x);",
    "what the functions of a module are called":
        "for (const kern::Function &h : module.functions()) use(h.name());"
        'auto h = module["h"]; use(h.signature(), module.manifest());',
    "questions to the concepts":
        "static_assert(!std::constructible_from<kern::Argument, const char *>);"
        "static_assert(std::constructible_from<kern::Argument, Floats>);"
        "static_assert(!std::constructible_from<kern::Output, Floats>);"
        "static_assert(!std::constructible_from<kern::Output, const Floats &>);"
        "static_assert(!kern::Element<char>);",
}
